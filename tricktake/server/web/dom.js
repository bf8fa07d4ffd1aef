// Elements without a library: h("button", {class: "x", onclick: f}, "text", child...)
const SVG = "http://www.w3.org/2000/svg";

function fill(element, facts, children) {
  for (const [key, value] of Object.entries(facts || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (name, facts, ...children) => fill(document.createElement(name), facts, children);
export const s = (name, facts, ...children) => fill(document.createElementNS(SVG, name), facts, children);
export const get = (id) => document.getElementById(id);

export function put(target, ...children) {
  target.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
}

export function announce(text) {
  const news = get("news");
  news.append(h("p", {}, text));
  while (news.children.length > 12) news.firstChild.remove();
}

let hiding = 0;
export function toast(text) {
  get("toast").textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => { get("toast").textContent = ""; }, 5000);
}

export function download(name, text, kind = "application/json") {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const a = h("a", { href: url, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
