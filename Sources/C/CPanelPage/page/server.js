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

// The part of the link after "#": the secret, and then parameters such as "view=stage", with "&" between them.
const linkParts = () => location.hash.slice(1).split("&").filter(Boolean);
const linkSecret = () => linkParts().find((part) => !part.includes("=")) ?? "";
export const linkParameters = () => new URLSearchParams(linkParts().filter((part) => part.includes("=")).join("&"));
// What a host plays, when the page is its window: the link has "port=NAME&host=NUMBER". Only presets and parameters are shown.
const openedFor = linkParameters();
export const hosted = openedFor.has("host") ? { port: openedFor.get("port"), host: Number(openedFor.get("host")) } : null;
if (hosted) document.body.classList.add("hosted");
const hostedParts = hosted ? [`port=${encodeURIComponent(hosted.port)}`, `host=${hosted.host}`] : [];
export function setLink({ secret = linkSecret(), view }) {
  const fragment = [secret, view && `view=${view}`, ...hostedParts].filter(Boolean).join("&");
  history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname);
}
const hasLink = () => linkSecret() !== "";
export const readCredentials = () => {
  if (password) return { password };
  if (pageKey && !(triesLink && hasLink())) return { key: pageKey };
  return hasLink() ? { secret: linkSecret() } : null;
};

function admitted({ secret, keyName, key }) {
  pageKey = { name: keyName, key };
  password = null;
  triesLink = false;
  // So that the page can be loaded again.
  setLink({ secret, view: linkParameters().get("view") });
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

export function showConnection(state, text) {
  if ($("connection-text").textContent === text) return;
  $("connection").className = `connection ${state}`;
  $("connection-text").textContent = text;
}

export async function connect() {
  clearTimeout(retry);
  if (isConnected) return;
  const credentials = readCredentials();
  if (!credentials) return askForPassword();
  // A button may ask for another attempt while one is being made.
  server.onclose = server.onnotification = null;
  server.close();
  const own = new Connection("Panel");
  server = own;
  server.onnotification = (method, params) => { if (method === "panel.status") follow(params); };
  let isRefused = false;
  server.onclose = (event) => { if (!isRefused) disconnected(event); };
  try {
    const welcome = await server.open(credentials);
    admitted(welcome);
    isConnected = true;
    retryDelay = 500;
    if ($("login").open) $("login").close();
    document.title = hosted?.port ?? (welcome.node === "portative" ? "Portative" : `${welcome.node} – Portative`);
    if (welcome.version !== version) {
      showNotice("The server has another version of this page.", { text: "Load it", run: () => location.reload() });
    } else showNotice("");
    // In turn, these would need as many times the delay of the network.
    await Promise.all([server.request("panel.watch", { isOn: true }), loadPorts(), announce("connected")]);
    document.body.classList.remove("loading");
    // Pictures have a size only now.
    announce("draw");
    refreshView();
  } catch (error) {
    if (own !== server) return;
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
  const reason = event.code === 4429 ? `${event.reason}: the keys are silent.` : wasConnected ? "The server has stopped, or cannot be reached: the keys are silent." : "The server cannot be reached: the keys are silent.";
  showNotice(`${reason} Trying again…`, { text: "Try now", run: connect });
  retry = setTimeout(connect, retryDelay);
  retryDelay = Math.min(retryDelay * 1.6, 5000);
}

async function loadPorts() {
  ports = (await server.list("report")).items.map((item) => item.port);
  const chosen = hosted?.port ?? port?.name ?? localStorage.getItem("port");
  $("port").replaceChildren(...ports.map((port) => make("option", { value: port.name, textContent: port.name })));
  await choosePort(ports.find((port) => port.name === chosen) ?? ports.find(takesMIDI) ?? ports[0]);
}

// Makes the requests for parameters, values and presets refer to the port, or to what the host plays.
export const describe = () => server.request("describe", { component: componentOf(port), ...(hosted && { host: hosted.host }) });

async function choosePort(chosen) {
  if (!chosen) return;
  announce("leave");
  port = chosen;
  $("port").value = port.name;
  if (hosted) $("hosted-name").textContent = port.name;
  if (!hosted) localStorage.setItem("port", port.name);
  const component = componentOf(port);
  document.body.classList.toggle("silent", !takesMIDI(port));
  // The server answers in this order.
  await Promise.all([
    server.request("panel.play", takesMIDI(port) && !hosted ? { component } : {}), describe(), announce("chosen"),
  ]);
  announce("draw");
  refreshView();
}

export const playPort = attempt((name) => choosePort(ports.find((port) => port.name === name)));
$("port").addEventListener("change", () => playPort($("port").value));

// Follows what the server reports many times per second.
function follow(next) {
  const previous = status, presetIn = (status) => status?.ports.find((item) => item.name === port?.name)?.preset;
  status = next;
  announce("follow", next);
  if (presetIn(next) !== presetIn(previous)) announce("presetChanged");
  // The count also tells whether there are scenes before one is chosen.
  if (["name", "place", "count", "next", "text"].some((key) => next.scene?.[key] !== previous?.scene?.[key])) announce("sceneChanged").catch(() => {});
  if (isConnected && previous && next.revision !== previous.revision) loadPorts().catch(report);
}

export const refreshView = attempt(async () => {
  if (isConnected && port) await Promise.all(parts.filter((part) => isShown(part.view)).map((part) => part.show()));
});
