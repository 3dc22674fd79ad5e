// "/" moves to the search field, unless the reader is typing.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
  event.preventDefault();
  document.getElementById("q").select();
  document.getElementById("q").focus();
});
