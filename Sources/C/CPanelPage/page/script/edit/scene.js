// Saving what keyboards play as a scene.

$("save-form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const name = $("save-name").value.trim();
    const answer = await server.request("saveScene", { name, replaces: $("save-replaces").checked });
    $("edit-message").textContent = `“${name}” is saved in ${answer.file}`;
    $("save-name").value = "";
    await loadScenes();
  })();
});
