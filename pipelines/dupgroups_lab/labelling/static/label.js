// A key answers. The next item is loaded while this one is read, and shown before the answer is stored;
// without this script, the same forms do it one page at a time.
"use strict";
const alertBox = document.getElementById("alert");
let stored = Promise.resolve(); // answers are stored in the order in which they were given
let next = null;

function shown() {
  return document.getElementById("item");
}

function loadNext() {
  const item = shown().dataset.item;
  if (!item) return;
  next = stored.then(() => fetch(`${location.pathname}?after=${item}`)).then(textOf);
  next.catch(() => {}); // reported when it is needed
}

async function textOf(response) {
  if (!response.ok || response.redirected) throw new Error(alertBox.dataset.reason.replace("{}", response.status));
  return response.text();
}

async function store(form, answer) {
  const fields = new URLSearchParams(new FormData(form));
  fields.set("answer", answer);
  const response = await fetch(form.action, { method: "POST", body: fields, redirect: "manual" });
  if (response.type !== "opaqueredirect") throw new Error(alertBox.dataset.reason.replace("{}", response.status));
}

async function answer(form, value) {
  const coming = next;
  if (!coming) return;
  next = null; // a second key waits for the next item
  stored = stored.then(() => store(form, value));
  stored.catch(complain);
  try {
    const page = new DOMParser().parseFromString(await coming, "text/html");
    shown().replaceWith(page.getElementById("item"));
    window.scrollTo(0, 0);
    document.getElementById("content").focus({ preventScroll: true });
    loadNext();
  } catch (error) {
    complain(error);
  }
}

function complain(error) {
  next = null;
  alertBox.hidden = false;
  alertBox.textContent = alertBox.dataset.text.replace("{}", () => error.message);
  alertBox.scrollIntoView();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches(".answers")) return;
  event.preventDefault();
  answer(event.target, event.submitter.value);
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing) return;
  const button = document.querySelector(`button[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!button) return;
  event.preventDefault();
  if (button.name === "answer") answer(button.form, button.value);
  else stored.then(() => button.form.submit()).catch(complain);
});

if (location.search) history.replaceState(null, "", location.pathname);
loadNext();
