// The connection of the page, which is opened again when it is lost.

const version = document.querySelector("meta[name=panel-version]").content;
let server = new Connection("Panel");
let retryDelay = 500;
let isConnected = false;
let retry;

const showConnection = (state, text) => {
  $("connection").className = `connection ${state}`;
  $("connection-text").textContent = text;
};

const showNotice = (text, action) => {
  $("notice").replaceChildren(make("span", { textContent: text }));
  if (action) $("notice").append(make("button", { type: "button", textContent: action.text, onclick: action.run }));
  $("notice").hidden = !text;
};

async function connect() {
  clearTimeout(retry);
  const credentials = readCredentials();
  if (!credentials) return askForPassword();
  server = new Connection("Panel");
  server.onnotification = (method, params) => { if (method === "panel.status") showStatus(params); };
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
    await Promise.all([loadScenes(), loadWiring()]);
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
  releaseAll();
  remoteKeys = new Set();
  drawSoon();
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

function report(error) { showNotice(error.message, { text: "Close", run: () => showNotice("") }); }
const attempt = (work) => (...values) => Promise.resolve(work(...values)).catch(report);
