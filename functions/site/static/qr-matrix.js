// From codewords to the modules of a QR symbol (ISO/IEC 18004): patterns, placement, the best mask.

import { codewordsOf } from "./qr-codewords.js";

const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => ((x / 3 | 0) + (y / 2 | 0)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The symbol of a text: rows of modules, dark ones true, without the quiet zone. */
export function symbolOf(text) {
  const { version, codewords } = codewordsOf(text);
  const size = 17 + 4 * version;
  const grid = { size, dark: square(size), fixed: square(size) };
  drawPatterns(grid, version);
  place(grid, codewords);
  const candidates = MASKS.map((mask, number) => masked(grid, mask, number));
  const penalties = candidates.map(penalty);
  return candidates[penalties.indexOf(Math.min(...penalties))];
}

const square = (size) => Array.from({ length: size }, () => new Array(size).fill(false));

function set(grid, x, y, dark) {
  grid.dark[y][x] = dark;
  grid.fixed[y][x] = true;
}

function drawPatterns(grid, version) {
  const last = grid.size - 1;
  for (let at = 0; at <= last; at += 1) {
    set(grid, 6, at, at % 2 === 0);
    set(grid, at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [last - 3, 3], [3, last - 3]]) drawRings(grid, x, y, 4);
  const centres = alignments(version, grid.size);
  for (const x of centres) {
    for (const y of centres) {
      const corner = (x === 6 && (y === 6 || y === last - 6)) || (y === 6 && x === last - 6);
      if (!corner) drawRings(grid, x, y, 2);
    }
  }
  drawFormat(grid, 0); // reserves its place until the mask is known
  if (version >= 7) drawVersion(grid, version);
}

/** A finder (radius 4, with its separator) or an alignment pattern (radius 2). */
function drawRings(grid, centreX, centreY, radius) {
  const light = radius === 4 ? [2, 4] : [1];
  for (let y = centreY - radius; y <= centreY + radius; y += 1) {
    for (let x = centreX - radius; x <= centreX + radius; x += 1) {
      if (x < 0 || y < 0 || x >= grid.size || y >= grid.size) continue;
      set(grid, x, y, !light.includes(Math.max(Math.abs(x - centreX), Math.abs(y - centreY))));
    }
  }
}

function alignments(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : 2 * Math.ceil((size - 13) / (2 * count - 2));
  const centres = Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step);
  return [6, ...centres.reverse()];
}

/** Bits followed by the remainder of their division by a BCH generator. */
function withRemainder(bits, generator, degree) {
  let rest = bits << degree;
  while (rest >> degree) rest ^= generator << (31 - Math.clz32(rest) - degree);
  return (bits << degree) | rest;
}

function drawFormat(grid, mask) {
  const bits = withRemainder(mask, 0x537, 10) ^ 0x5412; // level M is 00
  const { size } = grid;
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((bits >> bit) & 1) === 1;
    const beside = bit < 6 ? bit : bit < 8 ? bit + 1 : null;
    if (beside === null) set(grid, bit === 8 ? 7 : 14 - bit, 8, dark);
    else set(grid, 8, beside, dark);
    if (bit < 8) set(grid, size - 1 - bit, 8, dark);
    else set(grid, 8, size - 15 + bit, dark);
  }
  set(grid, 8, size - 8, true);
}

function drawVersion(grid, version) {
  const bits = withRemainder(version, 0x1f25, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const dark = ((bits >> bit) & 1) === 1;
    const far = grid.size - 11 + (bit % 3);
    const near = Math.floor(bit / 3);
    set(grid, far, near, dark);
    set(grid, near, far, dark);
  }
}

/** Codewords go up and down in columns two modules wide, from the right, around the timing column. */
function place(grid, codewords) {
  let bit = 0;
  for (let right = grid.size - 1, upward = true; right > 0; right -= 2, upward = !upward) {
    if (right === 6) right = 5;
    for (let step = 0; step < grid.size; step += 1) {
      const y = upward ? grid.size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid.fixed[y][x]) continue;
        grid.dark[y][x] = ((codewords[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
  }
}

function masked(grid, mask, number) {
  const copy = { ...grid, dark: grid.dark.map((row, y) => row.map((dark, x) => dark !== (!grid.fixed[y][x] && mask(x, y)))) };
  drawFormat(copy, number);
  return copy.dark;
}

/** How hard a symbol is to read, by the standard's four rules. */
function penalty(rows) {
  const columns = rows[0].map((_, x) => rows.map((row) => row[x]));
  let points = 0;
  for (const line of [...rows, ...columns]) {
    const drawn = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of drawn.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * (drawn.match(/(?=10111010000|00001011101)/g) ?? []).length;
  }
  for (let y = 1; y < rows.length; y += 1) {
    for (let x = 1; x < rows.length; x += 1) {
      const dark = rows[y][x];
      if (dark === rows[y][x - 1] && dark === rows[y - 1][x] && dark === rows[y - 1][x - 1]) points += 3;
    }
  }
  const share = rows.flat().filter(Boolean).length / rows.length ** 2;
  return points + 10 * Math.floor(Math.abs(share * 20 - 10));
}
