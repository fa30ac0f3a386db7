// The connection of the page, which is opened again when it is lost; what admits the page; and its port.

import { WRONG_SERVER, Connection } from "./connection.js";
import { $, announce, attempt, isShown, make, parts, report, showNotice } from "./page.js";

export let server = new Connection("Panel");
export let isConnected = false;
export let port = null;
export let ports = [];
// The last `panel.status`; null without a connection.
export let status = null;

export const componentOf = ({ type, subtype, manufacturer }) => ({ type, subtype, manufacturer });
export const takesMIDI = (port) => port.type === "instrument" || port.type === "musicEffect";

// What admits the page: the key that it got when it was admitted, the secret of the link, or the password.
//
// The key and the password are kept in memory only: whoever listens at this port later can read all that a page stores. The
// secret in the link is worth nothing then, because each start of the server has another one.

let pageKey = null;
let password = null;
let triesLink = false;

const hasLink = () => location.hash.length > 1;
export const readCredentials = () => {
  if (password) return { password };
  if (pageKey && !(triesLink && hasLink())) return { key: pageKey };
  return hasLink() ? { secret: location.hash.slice(1) } : null;
};

function admitted({ secret, keyName, key }) {
  pageKey = { name: keyName, key };
  password = null;
  triesLink = false;
  // So that the page can be loaded again.
  history.replaceState(null, "", `#${secret}`);
}

// The server could not prove what it should know. Returns whether the page has something else to try at once.
function doubtServer() {
  triesLink = Boolean(pageKey) && hasLink() && !triesLink;
  return triesLink;
}

function askForPassword(text) {
  if (text) $("login-text").textContent = `${text} Enter the password, or use the link that the command portative serve --panel-link prints.`;
  showConnection("bad", "not admitted");
  if (!$("login").open) $("login").showModal();
}

$("login-form").addEventListener("submit", (event) => {
  event.preventDefault();
  password = $("password").value;
  $("password").value = "";
  connect();
});
$("login").addEventListener("cancel", (event) => event.preventDefault());
addEventListener("hashchange", () => location.reload());

const version = document.querySelector("meta[name=panel-version]").content;
let retryDelay = 500;
let retry;

function showConnection(state, text) {
  $("connection").className = `connection ${state}`;
  $("connection-text").textContent = text;
}

export async function connect() {
  clearTimeout(retry);
  const credentials = readCredentials();
  if (!credentials) return askForPassword();
  server = new Connection("Panel");
  server.onnotification = (method, params) => { if (method === "panel.status") follow(params); };
  let isRefused = false;
  server.onclose = (event) => { if (!isRefused) disconnected(event); };
  try {
    const welcome = await server.open(credentials);
    admitted(welcome);
    isConnected = true;
    retryDelay = 500;
    if ($("login").open) $("login").close();
    document.title = welcome.node === "portative" ? "Portative" : `${welcome.node} – Portative`;
    showConnection("good", "connected");
    if (welcome.version !== version) {
      showNotice("The server has another version of this page.", { text: "Load it", run: () => location.reload() });
    } else showNotice("");
    await server.request("panel.watch", { isOn: true });
    await loadPorts();
    await announce("connected");
    document.body.classList.remove("loading");
    refreshView();
  } catch (error) {
    if (error.code === WRONG_SERVER) {
      isRefused = true;
      if (doubtServer()) return connect();
      askForPassword("The server was started again since this link was made, or another program listens here.");
      // The other program may end.
      retry = setTimeout(connect, 5000);
    } else if (isConnected) report(error);
  }
}

function disconnected(event) {
  const wasConnected = isConnected;
  isConnected = false;
  status = null;
  announce("disconnected");
  if (event.code === 4401) {
    password = null;
    return askForPassword(`The server refused: ${event.reason}.`);
  }
  showConnection("bad", "not connected");
  const reason = event.code === 4429 ? `${event.reason}.` : wasConnected ? "The server has stopped, or cannot be reached." : "The server cannot be reached.";
  showNotice(`${reason} Trying again…`);
  retry = setTimeout(connect, retryDelay);
  retryDelay = Math.min(retryDelay * 1.6, 5000);
}

async function loadPorts() {
  ports = (await server.list("report")).items.map((item) => item.port);
  const chosen = port?.name ?? localStorage.getItem("port");
  $("port").replaceChildren(...ports.map((port) => make("option", { value: port.name, textContent: port.name })));
  await choosePort(ports.find((port) => port.name === chosen) ?? ports.find(takesMIDI) ?? ports[0]);
}

async function choosePort(chosen) {
  if (!chosen) return;
  announce("leave");
  port = chosen;
  $("port").value = port.name;
  localStorage.setItem("port", port.name);
  const component = componentOf(port);
  await server.request("panel.play", takesMIDI(port) ? { component } : {});
  await server.request("describe", { component });
  await announce("chosen");
  announce("draw");
  refreshView();
}

$("port").addEventListener("change", attempt(() => choosePort(ports.find((port) => port.name === $("port").value))));

// Follows what the server reports many times per second.
function follow(next) {
  const previous = status, presetIn = (status) => status?.ports.find((item) => item.name === port?.name)?.preset;
  status = next;
  announce("follow", next);
  if (presetIn(next) !== presetIn(previous)) announce("presetChanged");
  // The count also tells whether there are scenes before one is chosen.
  if (["name", "place", "count"].some((key) => next.scene?.[key] !== previous?.scene?.[key])) announce("sceneChanged").catch(() => {});
  if (isConnected && previous && next.revision !== previous.revision) loadPorts().catch(report);
}

export const refreshView = attempt(async () => {
  if (isConnected && port) await Promise.all(parts.filter((part) => isShown(part.view)).map((part) => part.show()));
});
