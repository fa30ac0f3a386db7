// The sound device and the checks of this machine.

$("restart-sound").onclick = attempt(() => server.request("panel.restartSound", {}));

$("doctor-check").onclick = attempt(async () => {
  $("doctor-check").disabled = true;
  try {
    const { findings } = await server.request("panel.doctor", {});
    $("doctor-list").replaceChildren(...findings.map((finding) => make("li", {},
      make("span", { className: finding.verdict, textContent: finding.verdict }), make("span", { textContent: `${finding.subject}: ${finding.message}` }),
      ...(finding.remedy ? [make("span", { className: "remedy", textContent: finding.remedy })] : []))));
  } finally {
    $("doctor-check").disabled = false;
  }
});
