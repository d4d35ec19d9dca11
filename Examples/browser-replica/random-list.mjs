// A list with random changes, which the seed determines, for tests.

import { part } from './model.mjs';

export class RandomList {
    sections = [];
    #next = 0;
    #state;
    #payload;
    #size;
    #start;

    /** @param payload makes the payload for a number and its count of changes; null for none. */
    constructor(seed, { sections = 3, items = 4, payload = (n, turn) => `${n} ${turn}` } = {}) {
        this.#state = seed;
        this.#payload = payload;
        this.#size = items;
        this.#start = { sections, items: sections * items };
        for (let s = 0; s < sections; s++) {
            const rows = Array.from({ length: items }, () => this.#item(0));
            this.sections.push(part(this.#number(), this.#payload(this.#next, 0, true), rows));
        }
    }

    /** Returns a random number from 0 that is less than `limit` (mulberry32). */
    below(limit) {
        this.#state = (this.#state + 0x6d2b79f5) | 0;
        let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
        word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
        return Math.floor((((word ^ (word >>> 14)) >>> 0) / 2 ** 32) * limit);
    }

    #number() {
        this.#next += 1;
        return this.#next;
    }

    #item(turn) {
        const n = this.#number();
        return part(n, this.#payload(n, turn, false));
    }

    /** Inserts, removes, moves and changes some items, and occasionally sections. */
    change({ edits = 3, turn = this.below(1000) } = {}) {
        const sections = this.sections.map(({ n, p, items }) => ({ n, p, items: [...items] }));
        const any = (list) => list[this.below(list.length)];
        const takeItem = () => {
            const { items } = any(sections) ?? { items: [] };
            return items.splice(this.below(items.length), 1)[0];
        };
        const put = (item) => {
            const section = any(sections);
            if (item && section) section.items.splice(this.below(section.items.length + 1), 0, item);
        };
        for (let edit = 0; edit < edits; edit++) {
            const dice = this.below(40);
            const count = sections.reduce((sum, { items }) => sum + items.length, 0);
            // The number of items remains about the same.
            if (dice < 20) {
                if (this.below(2 * this.#start.items) >= count) put(this.#item(turn));
                else takeItem();
            } else if (dice < 28) put(takeItem());
            else if (dice < 36) {
                const item = takeItem();
                put(item && part(item.n, this.#payload(item.n, turn, false)));
            } else if (dice < 37 && sections.length < 2 * this.#start.sections) {
                const n = this.#number();
                const items = Array.from({ length: this.#size }, () => this.#item(turn));
                const section = { n, p: this.#payload(n, turn, true), items };
                sections.splice(this.below(sections.length + 1), 0, section);
            } else if (dice < 38 && sections.length > 2) {
                sections.splice(this.below(sections.length), 1);
            } else if (sections.length) {
                const [section] = sections.splice(this.below(sections.length), 1);
                section.p = this.#payload(section.n, turn, true);
                sections.splice(this.below(sections.length + 1), 0, section);
            }
        }
        this.sections = sections.map(({ n, p, items }) => part(n, p, items));
    }
}
