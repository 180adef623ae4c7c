// A QR symbol as SVG and PNG. It is drawn here because a second request for the same code would count as a call.

import { symbolOf } from "./qr-matrix.js";

const SVG = "http://www.w3.org/2000/svg";
const QUIET_ZONE = 4;
const FLAT = "2d";

/** Pixels of a module in the pictures to download. */
export const SCALES = [4, 8, 16];

/** The modules of a side, with the quiet zone. */
export const sideOf = (content) => sideOfRows(symbolOf(content));

/** An SVG element of `content`: black on white in any colour scheme, to be readable by cameras. */
export function qrOf(content, label) {
  const rows = symbolOf(content);
  const side = sideOfRows(rows);
  const svg = make("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
  svg.append(make("rect", { width: side, height: side, fill: "#fff" }), make("path", { d: pathOf(rows) }));
  return svg;
}

/** Download the symbol of `content` as a "png" or "svg" with modules of `scale` pixels. */
export async function download(content, kind, scale) {
  const picture = kind === "png" ? await pngOf(content, scale) : svgOf(content, scale);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = `pix.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

function svgOf(content, scale) {
  const svg = qrOf(content, "Pix");
  const pixels = sideOf(content) * scale;
  svg.setAttribute("width", pixels);
  svg.setAttribute("height", pixels);
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

function pngOf(content, scale) {
  const rows = symbolOf(content);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = sideOfRows(rows) * scale;
  const context = canvas.getContext(FLAT);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  context.scale(scale, scale);
  context.fill(new Path2D(pathOf(rows)));
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

const sideOfRows = (rows) => rows.length + 2 * QUIET_ZONE;

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
