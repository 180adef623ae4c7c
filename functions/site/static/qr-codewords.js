// From a text to the codewords of a QR symbol (ISO/IEC 18004): byte mode, error correction level M.

// By version, 1 to 40: error correction codewords in a block, and blocks.
const CORRECTION = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
  26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
];
const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
  17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
];
const MODE_BITS = 4;
const BYTE_MODE = 4;
const PADDING = [0xec, 0x11];

/** The smallest version that holds a text, and its codewords in the order of placement. */
export function codewordsOf(text) {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= 40; version += 1) {
    const total = capacity(version) >> 3;
    const room = total - CORRECTION[version - 1] * BLOCKS[version - 1];
    if (MODE_BITS + lengthBits(version) + 8 * bytes.length <= 8 * room) {
      return { version, codewords: interleave(dataOf(bytes, version, room), version) };
    }
  }
  throw new RangeError("too long for a QR symbol");
}

const lengthBits = (version) => (version < 10 ? 8 : 16);

/** Modules of a version that are free for codewords. */
function capacity(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2;
    modules -= (25 * aligned - 10) * aligned - 55;
  }
  return version >= 7 ? modules - 36 : modules;
}

function dataOf(bytes, version, room) {
  const bits = [];
  const put = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(BYTE_MODE, MODE_BITS);
  put(bytes.length, lengthBits(version));
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * room - bits.length));
  put(0, -bits.length & 7);
  for (let index = 0; bits.length < 8 * room; index += 1) put(PADDING[index & 1], 8);
  const data = new Uint8Array(room);
  bits.forEach((bit, index) => { data[index >> 3] |= bit << (7 - (index & 7)); });
  return data;
}

function interleave(data, version) {
  const blocks = BLOCKS[version - 1];
  const divisor = generator(CORRECTION[version - 1]);
  const short = Math.floor(data.length / blocks);
  const longer = data.length % blocks;
  const parts = [];
  for (let block = 0, start = 0; block < blocks; block += 1) {
    const end = start + short + (block >= blocks - longer ? 1 : 0);
    parts.push(data.subarray(start, end));
    start = end;
  }
  const corrections = parts.map((part) => remainder(part, divisor));
  const codewords = [];
  for (const group of [parts, corrections]) {
    for (let index = 0; index < Math.max(...group.map((part) => part.length)); index += 1) {
      for (const part of group) if (index < part.length) codewords.push(part[index]);
    }
  }
  return codewords;
}

// ---- Reed-Solomon over GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 ----

const EXP = new Uint8Array(510);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = EXP[power + 255] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

const multiply = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

/** The product of (x - 2^0) … (x - 2^(degree-1)), highest power first, without its leading 1. */
function generator(degree) {
  let terms = [1];
  for (let power = 0; power < degree; power += 1) {
    const scaled = [0, ...terms.map((term) => multiply(term, EXP[power]))];
    terms = [...terms, 0].map((term, index) => term ^ scaled[index]);
  }
  return terms.slice(1);
}

function remainder(data, divisor) {
  const rest = new Uint8Array(divisor.length);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest.copyWithin(0, 1);
    rest[rest.length - 1] = 0;
    divisor.forEach((term, index) => { rest[index] ^= multiply(term, factor); });
  }
  return rest;
}
