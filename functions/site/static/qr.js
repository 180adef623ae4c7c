// A QR symbol as SVG. It is drawn here because a second request for the same code would count as a call.

import { symbolOf } from "./qr-matrix.js";

const SVG = "http://www.w3.org/2000/svg";
const QUIET_ZONE = 4;

/** An SVG element of `content`: black on white in any colour scheme, to be readable by cameras. */
export function qrOf(content, label) {
  const rows = symbolOf(content);
  const side = rows.length + 2 * QUIET_ZONE;
  const svg = make("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
  svg.append(make("rect", { width: side, height: side, fill: "#fff" }), make("path", { d: pathOf(rows) }));
  return svg;
}

/** Download a picture as a file. */
export function download(svg, name) {
  const source = new XMLSerializer().serializeToString(svg);
  const address = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}

function make(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** One stroke for each run of dark modules. */
function pathOf(rows) {
  const strokes = rows.map((row, y) => {
    const drawn = row.map((dark) => (dark ? "1" : "0")).join("");
    return [...drawn.matchAll(/1+/g)]
      .map(({ 0: run, index }) => `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${run.length}v1h-${run.length}z`)
      .join("");
  });
  return strokes.join("");
}
