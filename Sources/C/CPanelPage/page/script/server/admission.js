// What admits the page: the key that it got when it was admitted, the secret of the link, or the password.
//
// The key and the password are kept in memory only: whoever listens at this port later can read all that a page stores. The
// secret in the link is worth nothing then, because each start of the server has another one.

let pageKey = null;
let password = null;
let triesLink = false;

const hasLink = () => location.hash.length > 1;
const readCredentials = () => {
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
  if (text) $("login-text").textContent = `${text} Enter the password, or use the link that the command portative panel prints.`;
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
