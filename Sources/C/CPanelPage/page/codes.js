// HMAC-SHA-256 in hexadecimal digits. Browsers offer theirs only to pages of the loopback interface or with TLS, and so not
// to a phone. Source: FIPS 180-4, RFC 2104.

const primes = [2];
for (let n = 3; primes.length < 64; n += 2) if (primes.every((prime) => n % prime)) primes.push(n);
// The first 32 bits of the fraction of a root.
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

function addBlock(state, view, offset) {
  const words = Array.from({ length: 16 }, (_, i) => view.getInt32(offset + 4 * i));
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15], words[i - 2]];
    words[i] = (words[i - 16] + words[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
}

function hash(bytes) {
  // The message, a bit, zeros, and the number of bits, in blocks of 64 bytes.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  let state = start;
  for (let offset = 0; offset < padded.length; offset += 64) state = addBlock(state, view, offset);
  state.forEach((word, i) => view.setInt32(4 * i, word));
  return padded.slice(0, 32);
}

export function codeOf(keyText, text) {
  const encode = (text) => new TextEncoder().encode(text);
  const join = (pad, bytes) => {
    const joined = new Uint8Array(64 + bytes.length).fill(pad, 0, 64);
    key.forEach((byte, i) => { joined[i] ^= byte; });
    joined.set(bytes, 64);
    return joined;
  };
  let key = encode(keyText);
  if (key.length > 64) key = hash(key);
  return [...hash(join(0x5c, hash(join(0x36, encode(text)))))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
