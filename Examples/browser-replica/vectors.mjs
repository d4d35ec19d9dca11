// The vectors that the replica in Swift has written, and states in their form.

import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('vectors.jsonl', import.meta.url), 'utf8');
export const vectors = file.trim().split('\n').map((line) => JSON.parse(line));

/** Returns sections in the form of a reset. */
export const written = (sections) =>
    sections.map(({ n, p, items }) => ({
        n,
        ...(p !== null && { p }),
        ...(items.length && { items: items.map(({ n, p }) => (p === null ? [n] : [n, p])) }),
    }));
