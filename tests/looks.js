// Looks at each letter in its frame as a reader would, and writes down what is wrong, as JSON.
const CONTRAST = 4.5, ALT = 150, LINE = 50, OWN = 800;

function channels(css) {
  return css.match(/[\d.]+/g).map(Number);
}

function luminance(color) {
  const [red, green, blue] = color.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ground(element, view) {
  for (let at = element; at; at = at.parentElement) {
    const color = channels(view.getComputedStyle(at).backgroundColor);
    if (color.length < 4 || color[3] > 0) return color;
  }
  return channels(view.matchMedia("(prefers-color-scheme: dark)").matches ? "0 0 0" : "255 255 255");
}

function* texts(page) {
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim()) yield node;
}

function* faults(frame) {
  const page = frame.contentDocument, view = frame.contentWindow, root = page.documentElement;
  const wider = root.scrollWidth - root.clientWidth;
  if (wider > 0) yield `wider than the screen by ${wider}`;
  for (const node of texts(page)) {
    const style = view.getComputedStyle(node.parentElement), said = node.data.trim();
    const [dark, light] = [channels(style.color), ground(node.parentElement, view)].map(luminance).sort((a, b) => a - b);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < CONTRAST) yield `contrast ${contrast.toFixed(2)}: ${said.slice(0, 60)}`;
    const isWrapped = style.whiteSpace.startsWith("pre") && !node.parentElement.closest(".said, pre");
    if (isWrapped && said.split("\n").some((line, at, lines) => line.length > LINE && /^[a-zäöü]/.test(lines[at + 1] ?? "")))
      yield `wrapped at a column: ${said.slice(0, 60)}`;
  }
  for (const node of texts(page)) {
    const said = node.data.trim();
    if (node.parentElement.closest(".said, code")) continue;
    if (/\([^()]*\([A-Z]{3}\)/.test(said)) yield `brackets in brackets: ${said.slice(0, 60)}`;
    if (/。 [ぁ-ヿ一-鿿]/.test(said)) yield `a gap behind a full stop: ${said.slice(0, 60)}`;
  }
  for (const heading of page.querySelectorAll("h2")) {
    const next = heading.nextElementSibling;
    if (!next || next.tagName === "H2") yield `nothing below a heading: ${heading.textContent}`;
  }
  const own = page.querySelector(".own")?.getBoundingClientRect().top;
  if (own > OWN) yield `the reader's own results begin at ${Math.round(own)}`;
  for (const image of page.images) if (image.alt.length > ALT) yield `${image.alt.length} letters in place of a picture`;
  // Some programs know no padding of links.
  root.append(Object.assign(page.createElement("style"), { textContent: "* { padding: 0 !important; margin: 0 !important }" }));
  const links = [...page.links].map((link) => [link.textContent, ...link.getClientRects()]);
  for (const [at, [said, here]] of links.entries()) {
    const [next, there] = links[at + 1] ?? [];
    if (here && there && Math.abs(here.top - there.top) < 4 && Math.abs(there.left - here.right) < 4)
      yield `links touch: ${said}|${next}`;
  }
}

addEventListener("load", () => {
  const frames = [...document.querySelectorAll("iframe")];
  const found = frames.map((frame) => ({
    letter: frame.title,
    theme: frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
    faults: [...new Set(faults(frame))],
  }));
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(found) }));
});
