// Whether the keys of the page are heard, and if not, why, and what helps.

import { $, attempt, fillNotice, parts } from "./page.js";
import { hosted, isConnected, playPort, port, ports, server, showConnection, status, takesMIDI } from "./server.js";

// Within this time after it is chosen, a port that can be heard is heard.
// Sounds of several zones are loaded in turn.
const openingTime = 5000;
let silentSince = null;
// While the server restarts the sound, the last status is worth nothing.
let restartEnd = 0;

export const restartSound = attempt(async () => {
  restartEnd = performance.now() + 1000;
  silentSince = null;
  showSound();
  await server.request("panel.restartSound", {});
});

function reasonOf(silence) {
  if (!silence) return "The sound device is closed, so the keys are silent.";
  const { kind, device, reason } = silence;
  if (kind === "none") return "The server was started without a sound device: only a host makes this port sound.";
  if (kind === "lost") return `The sound has stopped${reason ? `: ${reason}` : ""}. It continues when the device returns.`;
  return device ? `No sound from the device “${device}”: ${reason}.` : "The sound device cannot be opened.";
}

// Returns what is wrong for who plays; `null` if the keys are heard, `undefined` while that is not known.
function findTrouble() {
  const own = status?.ports.find((item) => item.name === port?.name);
  if (!isConnected || !own) return undefined;
  // The host hears it.
  if (hosted) return null;
  if (own.host) {
    const free = ports.find((other) => takesMIDI(other) && !status.ports.find((item) => item.name === other.name)?.host);
    return {
      state: "warn", word: "in a host", isCalm: true, text: `${own.host} holds this port: it is heard there, and not on the sound device of the server.`,
      action: free && { text: `Play ${free.name}`, run: () => playPort(free.name) },
    };
  }
  // The page plays no effect, and so none must sound.
  if (!takesMIDI(port)) return null;
  const { silence } = status, now = performance.now();
  if (status.sound && own.peaks) {
    silentSince = null;
    return now < restartEnd ? undefined : null;
  }
  silentSince ??= now;
  if (!silence && now - silentSince < openingTime) return undefined;
  const isRestarting = now < restartEnd;
  return {
    state: "bad", word: "no sound", text: reasonOf(silence),
    action: silence?.kind === "none" ? null : { text: isRestarting ? "Restarting…" : "Restart sound", run: restartSound },
  };
}

let shownText = "";
let timer;

function showSound() {
  clearTimeout(timer);
  const trouble = findTrouble();
  if (isConnected && trouble === null) showConnection("good", "connected");
  else if (isConnected && trouble) showConnection(trouble.state, trouble.word);
  else if (isConnected) showConnection("wait", "opening sound");
  const text = trouble ? `${trouble.text}\n${trouble.action?.text ?? ""}` : "";
  if (text !== shownText) {
    shownText = text;
    fillNotice($("trouble"), trouble?.text ?? "", trouble?.action);
    $("trouble").classList.toggle("calm", trouble?.isCalm === true);
  }
  // Without a new status, time alone decides.
  if (isConnected && trouble !== null) timer = setTimeout(showSound, 500);
}

parts.push({
  leave() {
    silentSince = null;
    showConnection("wait", "opening sound");
  },
  disconnected() {
    silentSince = null;
    showSound();
  },
  chosen: showSound,
  follow: showSound,
});
