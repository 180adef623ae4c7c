// The picture in an answer, shown and saved: a second call would count.

import { element } from "./dom.js";

const FLAT = "2d";

/** Pixels of a module in the pictures to download. */
export const SCALES = [4, 8, 16];

/** The SVG text of an answer's `qr`. */
export const svgOf = ({ qr }) => atob(qr);

/** An image of an SVG text. */
export const imageOf = (svg, alt) => element("img", { src: `data:image/svg+xml;base64,${btoa(svg)}`, alt });

/** The modules of a side, with the quiet zone. */
export const sideOf = (svg, { qr_tamanho: pixels }) => /width="(\d+)/.exec(svg)[1] / pixels;

/** Download a picture as a "png" or "svg" with `pixels` a side. */
export async function download(svg, kind, pixels) {
  const sized = svg.replace(/(width|height)="\d+px"/g, `$1="${pixels}px"`);
  const picture = kind === "png" ? await pngOf(sized) : new Blob([sized], { type: "image/svg+xml" });
  const link = element("a", { href: URL.createObjectURL(picture), download: `pix.${kind}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

async function pngOf(svg) {
  const image = imageOf(svg, "");
  await image.decode();
  const canvas = element("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext(FLAT).drawImage(image, 0, 0);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}
