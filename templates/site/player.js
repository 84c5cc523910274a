// The phases of a game, one at a time. Which one is shown is the fragment of the address, and the style sheet's part:
// without this script the links lead from phase to phase.
const phases = [...document.querySelectorAll(".player > .phase")];
const last = phases.length - 1;
const controls = document.getElementById("controls");
const play = document.getElementById("play");
const at = document.getElementById("at");
const pause = 1600;
let timer = 0;

function shown() {
  const found = phases.findIndex((phase) => `#${phase.id}` === decodeURIComponent(location.hash));
  return found < 0 ? last : found;
}

function show(place) {
  location.replace(`#${phases[Math.max(0, Math.min(last, place))].id}`);
}

function changed() {
  const place = shown();
  at.value = place;
  at.setAttribute("aria-valuetext", phases[place].querySelector("h2").textContent);
  for (const phase of phases.slice(place, place + 4)) phase.querySelector("img")?.setAttribute("loading", "eager");
  if (place === last) stop();
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  told();
}

function told() {
  play.classList.toggle("playing", timer !== 0);
  play.setAttribute("aria-label", timer ? play.dataset.pause : play.dataset.play);
}

function next() {
  timer = setTimeout(next, pause);
  const following = phases[Math.min(last, shown() + 1)].querySelector("img");
  if (!following || following.complete) show(shown() + 1);
}

function toggle() {
  if (timer) return stop();
  if (shown() === last) show(0);
  timer = setTimeout(next, pause);
  told();
}

const keys = {
  ArrowLeft: () => show(shown() - 1),
  ArrowRight: () => show(shown() + 1),
  Home: () => show(0),
  End: () => show(last),
  " ": toggle,
};

document.addEventListener("keydown", (event) => {
  const on = event.target.closest("button, input, a, summary");
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in keys)) return;
  if (on && (on === at || event.key === " ")) return;
  event.preventDefault();
  if (timer && event.key !== " ") stop();
  keys[event.key]();
});
at.addEventListener("input", () => {
  stop();
  show(Number(at.value));
});
play.addEventListener("click", toggle);
addEventListener("hashchange", changed);
controls.hidden = false;
told();
changed();
