// A model of a hub's list for tests: updates from one state to another, and windows.

import { Part, digestOf } from '../../Sources/BrowserScripts/Scripts/digest.js';

export const part = (n, p, items) => new Part(n, p, items);
export { digestOf };

/** Returns a section or an item in the form of a message. */
const writtenItem = ({ n, p }) => (p === null ? [n] : [n, p]);
const writtenSection = ({ n, p, items }) => ({
    n,
    ...(p !== null && { p }),
    ...(items.length && { items: items.map(writtenItem) }),
});

/** Returns a reset. */
export const resetMessage = (version, { sections, place }, reason = 'joined') => ({
    reset: {
        version,
        reason,
        digest: digestOf(sections),
        ...(place && { place }),
        ...(sections.length && { sections: sections.map(writtenSection) }),
    },
});

/** Returns an update from one state to another. */
export const updateMessage = (from, to, before, after, { digest = true } = {}) => {
    const lists = Object.entries(difference(before.sections, after.sections));
    return {
        update: {
            from,
            to,
            ...(digest && { digest: digestOf(after.sections) }),
            ...(after.place && { place: after.place }),
            ...Object.fromEntries(lists.filter(([, list]) => list.length)),
        },
    };
};

/** Returns the rows from `first` to `end` of a list: their sections, and their place. */
export function windowOf(whole, first, end) {
    const itemTotal = whole.reduce((sum, { items }) => sum + items.length, 0);
    const place = { sections: whole.length, items: itemTotal, section: 0, item: 0, before: 0 };
    const sections = [];
    let [row, before] = [0, 0];
    for (const [at, section] of whole.entries()) {
        const { n, p, items } = section;
        const from = Math.min(items.length, Math.max(0, first - row - 1));
        const to = Math.min(items.length, Math.max(0, end - row - 1));
        if (row < end && row + 1 + items.length > first) {
            if (!sections.length) Object.assign(place, { section: at, item: from, before: before + from });
            const isWhole = from === 0 && to === items.length;
            sections.push(isWhole ? section : new Part(n, p, items.slice(from, to)));
        }
        row += 1 + items.length;
        before += items.length;
    }
    if (!sections.length) Object.assign(place, { section: whole.length, before: itemTotal });
    return { sections, place };
}

/** Returns the row of an item or of a section by its number; -1 if it does not exist. */
export function rowOf(whole, n, isSection) {
    let row = 0;
    for (const section of whole) {
        if (isSection && section.n === n) return row;
        const at = isSection ? -1 : section.items.findIndex((item) => item.n === n);
        if (at >= 0) return row + 1 + at;
        row += 1 + section.items.length;
    }
    return -1;
}

/** Returns the element at a row: `{ n, isSection }`; null if there is no such row. */
export function atRow(whole, row) {
    for (const { n, items } of whole) {
        if (row === 0) return { n, isSection: true };
        if (row <= items.length) return { n: items[row - 1].n, isSection: false };
        row -= 1 + items.length;
    }
    return null;
}

/**
 * Returns the longest ascending subsequence of `numbers`, in the order of a new list: they need not
 * move.
 */
function staying(numbers, places) {
    const best = [];
    const previous = new Map();
    for (const n of numbers) {
        let [low, high] = [0, best.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (places.get(best[middle]) < places.get(n)) low = middle + 1;
            else high = middle;
        }
        previous.set(n, best[low - 1]);
        best[low] = n;
    }
    const result = new Set();
    for (let n = best.at(-1); n !== undefined; n = previous.get(n)) result.add(n);
    return result;
}

/** Returns the lists of an update from one array of sections to another. */
export function difference(old, next) {
    const lists = {
        removeItems: [],
        removeSections: [],
        insertSections: [],
        insertItems: [],
        changeItems: [],
        changeSections: [],
    };
    const oldSections = new Map(old.map((section, at) => [section.n, at]));
    const newSections = new Map(next.map((section, at) => [section.n, at]));
    const sectionsThatStay = staying(
        next.map(({ n }) => n).filter((n) => oldSections.has(n)),
        oldSections,
    );
    const oldItems = new Map();
    old.forEach(({ items }, s) => items.forEach((item, i) => oldItems.set(item.n, { s, i, item })));
    const newItems = new Map();
    next.forEach(({ items }, s) => items.forEach(({ n }) => newItems.set(n, s)));
    // The items that stay, section by section.
    const stays = new Set();
    next.forEach((section) => {
        const at = oldSections.get(section.n);
        if (at === undefined || old[at] === section) {
            if (at !== undefined) for (const { n } of section.items) stays.add(n);
            return;
        }
        const kept = section.items.map(({ n }) => n).filter((n) => oldItems.get(n)?.s === at);
        const places = new Map(kept.map((n) => [n, oldItems.get(n).i]));
        for (const n of staying(kept, places)) stays.add(n);
    });
    for (let s = old.length - 1; s >= 0; s--) {
        const isGone = !newSections.has(old[s].n);
        if (isGone || !sectionsThatStay.has(old[s].n)) lists.removeSections.push(s);
        for (let i = old[s].items.length - 1; i >= 0; i--) {
            const { n } = old[s].items[i];
            if (!stays.has(n) && (!isGone || newItems.has(n))) lists.removeItems.push([s, i]);
        }
    }
    next.forEach((section, s) => {
        const from = oldSections.get(section.n);
        if (from === undefined) {
            const items = section.items.filter(({ n }) => !oldItems.has(n));
            lists.insertSections.push({ at: s, ...writtenSection({ ...section, n: section.n, items }) });
        } else if (!sectionsThatStay.has(section.n)) lists.insertSections.push({ at: s, from });
        if (from !== undefined && section.p !== old[from].p) {
            lists.changeSections.push(section.p === null ? [s] : [s, section.p]);
        }
        section.items.forEach((item, i) => {
            const there = oldItems.get(item.n);
            if (!there) {
                if (from !== undefined) lists.insertItems.push([s, i, ...writtenItem(item)]);
                return;
            }
            if (!stays.has(item.n)) lists.insertItems.push([s, i, [there.s, there.i]]);
            if (there.item.p !== item.p) {
                lists.changeItems.push(item.p === null ? [s, i] : [s, i, item.p]);
            }
        });
    });
    return lists;
}
