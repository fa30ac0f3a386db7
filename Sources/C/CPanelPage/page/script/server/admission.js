// The secret of the link, or the password.

const readSecret = () => {
  if (location.hash.length > 1) return { secret: location.hash.slice(1) };
  const password = sessionStorage.getItem("password");
  return password ? { password } : null;
};

function askForPassword(text) {
  if (text) $("login-text").textContent = `${text} Enter the password, or use the link that the command portative panel prints.`;
  showConnection("bad", "not admitted");
  if (!$("login").open) $("login").showModal();
}

$("login-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("password", $("password").value);
  $("password").value = "";
  if (location.hash) history.replaceState(null, "", location.pathname);
  connect();
});
$("login").addEventListener("cancel", (event) => event.preventDefault());
addEventListener("hashchange", () => location.reload());
