// The scenes, and panic.

let setListCount = 0;

async function loadScenes() {
  const list = await server.list("scenes");
  setListCount = list.setListCount;
  $("scenes-card").hidden = list.items.length === 0;
  $("scene-list").replaceChildren(...list.items.map((name, index) => {
    const button = make("button", { type: "button", className: "choose" },
      make("span", { className: "id", textContent: index < setListCount ? `${index + 1}` : "" }), make("span", { textContent: name }));
    button.dataset.name = name;
    button.onclick = attempt(() => server.request("chooseScene", { name }).then(loadZones));
    return make("li", {}, button);
  }));
  showScene();
}

function showScene() {
  const scene = status?.scene;
  $("scene").hidden = !scene;
  if (!scene) return;
  $("scene-name").textContent = scene.name ?? "none chosen";
  $("scene-place").textContent = scene.place ? `${scene.place}/${scene.count}` : "";
  const buttons = [...$("scene-list").querySelectorAll(".choose")];
  // A scene may be in the set list several times.
  for (const [index, button] of buttons.entries()) {
    if (scene.place ? index + 1 === scene.place : button.dataset.name === scene.name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

const stepScene = attempt((step) => server.request("chooseScene", { step }).then(loadZones));
$("scene-previous").onclick = () => stepScene(-1);
$("scene-next").onclick = () => stepScene(1);

const panic = attempt(async () => {
  releaseAll();
  await server.request("panic", {});
});
$("panic").onclick = panic;
