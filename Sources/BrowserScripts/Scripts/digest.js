// The digest of a state, as the hub computes it: the sum of a hash for each pair of neighbours and one
// for each header. Everything is little-endian, like all machines that run browsers.

/**
 * An item, or a section if it has items. It never changes once it is in a state, so its hashes are
 * cached.
 */
export class Part {
    #hash = null;
    #header = null;
    /** The next part in the list, with the hash of the pair; for a section also its first item. */
    #next = null;
    #link = null;
    #first = null;
    #firstLink = null;

    constructor(n, p, items) {
        this.n = n;
        this.p = p;
        if (items) this.items = items;
    }

    get hash() {
        this.#hash ??= this.#computeHash();
        return this.#hash;
    }

    #computeHash() {
        if (this.items) return sipHash([2], word(this.n));
        if (this.p === null) return sipHash([1], word(this.n), [0]);
        return sipHash([1], word(this.n), [1], payloadHash(this.p));
    }

    get headerHash() {
        this.#header ??= sipHash([5], word(this.n), payloadHash(this.p));
        return this.#header;
    }

    linkToNext(next, kind) {
        if (this.#next !== next) this.#link = linkHash(this, next, kind);
        this.#next = next;
        return this.#link;
    }

    linkToFirst(first) {
        if (this.#first !== first) this.#firstLink = linkHash(this, first, 3);
        this.#first = first;
        return this.#firstLink;
    }
}

/** The neighbour of the first and of the last section. */
const ends = { hash: new Uint32Array(4) };
const linkHash = (left, right, kind) => sipHash(raw(left.hash), raw(right.hash), [kind]);

/** The digest of sections, as 32 hexadecimal digits. */
export function digestOf(sections) {
    const sum = new Uint32Array(4);
    const add = (hash) => {
        let carry = 0;
        for (let at = 0; at < 4; at++) {
            carry += sum[at] + hash[at];
            sum[at] = carry;
            carry = carry > 0xffffffff ? 1 : 0;
        }
    };
    add(linkHash(ends, sections[0] ?? ends, 4));
    sections.forEach((section, at) => {
        add(section.linkToNext(sections[at + 1] ?? ends, 4));
        const { items } = section;
        add(section.linkToFirst(items[0] ?? section));
        items.forEach((item, at) => add(item.linkToNext(items[at + 1] ?? section, 3)));
        if (section.p !== null) add(section.headerHash);
    });
    return Array.from(raw(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const word = (value) => raw(Uint32Array.of(value, value / 2 ** 32));
const raw = (words) => new Uint8Array(words.buffer);
const encoder = new TextEncoder();
const payloadHash = (p) => {
    const bytes = encoder.encode(p);
    return raw(sipHash(word(bytes.length), bytes));
};

// SipHash-2-4 with the key of bytes 0 to 15. A word is two halves, because a BigInt is much slower.
const start = Uint32Array.of(
    0x70736575 ^ 0x03020100, 0x736f6d65 ^ 0x07060504,
    0x6e646f6d ^ 0x0b0a0908 ^ 0xee, 0x646f7261 ^ 0x0f0e0d0c,
    0x6e657261 ^ 0x03020100, 0x6c796765 ^ 0x07060504,
    0x79746573 ^ 0x0b0a0908, 0x74656462 ^ 0x0f0e0d0c,
);
const v = new Uint32Array(8);

function sipHash(...parts) {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const words = new Uint32Array(2 * ((length >> 3) + 1));
    const bytes = raw(words);
    let position = 0;
    for (const part of parts) {
        bytes.set(part, position);
        position += part.length;
    }
    bytes[bytes.length - 1] = length;
    v.set(start);
    for (let at = 0; at < words.length; at += 2) {
        v[6] ^= words[at];
        v[7] ^= words[at + 1];
        mix(2);
        v[0] ^= words[at];
        v[1] ^= words[at + 1];
    }
    v[4] ^= 0xee;
    mix(4);
    const low = [v[0] ^ v[2] ^ v[4] ^ v[6], v[1] ^ v[3] ^ v[5] ^ v[7]];
    v[2] ^= 0xdd;
    mix(4);
    return Uint32Array.of(...low, v[0] ^ v[2] ^ v[4] ^ v[6], v[1] ^ v[3] ^ v[5] ^ v[7]);
}

function mix(rounds) {
    for (; rounds > 0; rounds--) {
        half(0, 2, 13);
        swap(0);
        half(4, 6, 16);
        half(0, 6, 21);
        half(4, 2, 17);
        swap(4);
    }
}

/** Adds `b` to `a`, rotates `b` by `bits`, and combines it with `a` by XOR. */
function half(a, b, bits) {
    const sum = v[a] + v[b];
    v[a] = sum;
    v[a + 1] += v[b + 1] + (sum > 0xffffffff ? 1 : 0);
    const low = v[b];
    const high = v[b + 1];
    v[b] = ((low << bits) | (high >>> (32 - bits))) ^ v[a];
    v[b + 1] = ((high << bits) | (low >>> (32 - bits))) ^ v[a + 1];
}

/** Rotates a word by 32 bits: exchanges its halves. */
function swap(a) {
    const low = v[a];
    v[a] = v[a + 1];
    v[a + 1] = low;
}
