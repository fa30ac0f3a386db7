// The log of the server.

function addLogLine(line) {
  const isAtEnd = $("log").scrollTop + $("log").clientHeight >= $("log").scrollHeight - 4;
  const kind = line.startsWith("portative:") ? "error" : line.startsWith("warning:") ? "warning" : "";
  $("log").append(make("div", { className: kind, textContent: line }));
  while ($("log").children.length > 200) $("log").firstChild.remove();
  if (isAtEnd) $("log").scrollTop = $("log").scrollHeight;
}
