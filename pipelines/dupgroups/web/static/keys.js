// "/" moves to the search field, unless the reader is typing.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
  event.preventDefault();
  document.getElementById("q").select();
  document.getElementById("q").focus();
});

// An open menu closes by Escape, and by a click elsewhere.
function closeMenus(event) {
  const inside = event.type === "click" && event.target.closest("details.menu");
  if (event.type === "keydown" && event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu === inside) continue;
    menu.open = false;
    if (event.type === "keydown") menu.querySelector("summary").focus();
  }
}
document.addEventListener("keydown", closeMenus);
document.addEventListener("click", closeMenus);
