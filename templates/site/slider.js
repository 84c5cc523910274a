// The pictures of all phases, one at a time. Without it every phase has its page.
const links = [...document.querySelectorAll("[data-picture]")];
const slider = document.getElementById("slider");
const at = document.getElementById("at");
const shown = document.getElementById("shown");
const image = slider.querySelector("img");
const dark = slider.querySelector("source");

function show() {
  const link = links[at.value];
  dark.srcset = `${link.dataset.picture}-dark.png`;
  image.src = `${link.dataset.picture}.png`;
  image.alt = link.dataset.alt;
  shown.href = link.href;
  shown.textContent = link.textContent;
  at.setAttribute("aria-valuetext", link.textContent);
}

at.addEventListener("input", show);
slider.hidden = false;
show();
