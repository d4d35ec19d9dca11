// A copy of a list that a hub publishes, which checks every message. README.md describes the format of
// messages.

import { Part, digestOf } from './digest.js';
import { checkPlace, readPlace } from './window.js';

export { follow, wait } from './follow.js';
export { ListView, slide } from './list-view.js';
export { OptimisticList } from './optimistic.js';
export { WindowFollower } from './window-follower.js';

/** The error of a rejected message; `code` is that of `ReplicaError` in Swift. */
export class ReplicaError extends Error {
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

const fail = (code, message) => {
    throw new ReplicaError(code, message);
};
const demand = (holds, rule) => holds || fail('unreadable', rule);

/** A copy of a hub's state. If a message fails, nothing changes. */
export class Replica {
    /**
     * The sections, which must not be changed: `{ n, p, items: [{ n, p }] }`. The payload `p` may be
     * null. Sections and items that an update does not change remain the same objects.
     */
    sections = [];
    /**
     * The position of the window in the list, `{ sections, items, section, item, before }` as in the
     * message, which must not be changed; null if `sections` is the whole list.
     */
    place = null;
    /** Whether the hub has closed; a later message resets it. */
    isClosed = false;
    #version = null;

    /** The version, such as `00c0ffee00c0ffee.12`, to resume from; null before the first message. */
    get version() {
        return this.#version && `${this.#version.handle}.${this.#version.number}`;
    }

    /**
     * The digest, 32 hexadecimal digits, equal to the hub's at the same version. Computes missing
     * hashes.
     */
    get digest() {
        return digestOf(this.sections);
    }

    /**
     * Returns whether the state contains a write for which the server returned `version`. The result is
     * false for a version of another history, which cannot be compared: after a restart, the state is
     * the new server's.
     */
    hasReached(version) {
        const { handle, number } = readVersion(version);
        return this.#version?.handle === handle && this.#version.number >= number;
    }

    /** Applies a message, which is one JSON object. Throws a `ReplicaError`. */
    apply(message) {
        object(message);
        const kinds = ['reset', 'update', 'upToDate', 'closed'].filter((kind) => kind in message);
        demand(kinds.length === 1, 'a message must have exactly one kind');
        const [kind] = kinds;
        const body = object(message[kind]);
        if (kind === 'reset') return this.#reset(readReset(body));
        if (kind === 'update') return this.#update(readUpdate(body));
        const version = readVersion(body.version);
        const digest = kind === 'upToDate' ? readDigest(body.digest) : null;
        this.#checkVersion(version);
        this.#checkDigest(this.sections, digest);
        this.isClosed = kind === 'closed';
    }

    #reset({ version, digest, place, sections }) {
        this.#take(sections, place, version, digest);
    }

    #update(update) {
        const { from, to, place } = update;
        this.#checkVersion(from);
        if (!place !== !this.place) {
            fail('misfit', 'an update must have a place if, and only if, the replica has one');
        }
        if (to.handle !== from.handle) fail('otherHistory', 'an update must not lead to another history');
        // If only the window has changed, the version stays the same.
        if (to.number < from.number || (to.number === from.number && !place)) {
            fail('double', `an update must end after ${from.number}, but ends at ${to.number}`);
        }
        this.#take(edited(this.sections, update), place, to, update.digest);
    }

    #take(sections, place, version, digest) {
        if (place && !checkPlace(place, sections)) fail('misfit', 'a window must be within its list');
        this.#checkDigest(sections, digest);
        this.sections = sections;
        this.place = place;
        this.#version = version;
        this.isClosed = false;
    }

    #checkVersion(version) {
        const here = this.#version;
        if (!here) fail('noState', 'the first message must bring a state');
        if (version.handle !== here.handle) fail('otherHistory', 'a message must be of the same history');
        if (version.number === here.number) return;
        const code = version.number > here.number ? 'gap' : 'double';
        fail(code, `a message must follow on ${here.number}, but follows on ${version.number}`);
    }

    #checkDigest(sections, expected) {
        if (expected === null || digestOf(sections) === expected) return;
        fail('otherDigest', `the state must have the digest ${expected}`);
    }
}

// Decoding: the results have the right form, and are valid as far as that can be checked without a
// state.

const object = (value) => {
    const fits = typeof value === 'object' && value !== null && !Array.isArray(value);
    demand(fits, 'expected an object');
    return value;
};
const tuple = (value, least, most = least) => {
    const fits = Array.isArray(value) && value.length >= least && value.length <= most;
    demand(fits, `expected an array of ${least} to ${most} elements`);
    return value;
};
const list = (value, read) => {
    demand(value == null || Array.isArray(value), 'a list must be an array');
    return (value ?? []).map((element) => read(element));
};
const index = (value) => {
    demand(Number.isSafeInteger(value) && value >= 0, 'an index must be a whole number from 0');
    return value;
};
const number = (value) => index(value) || fail('unreadable', 'a number must be at least 1');
const text = (value) => {
    demand(typeof value === 'string' && !/\p{Surrogate}/u.test(value), 'a payload must be text');
    return value;
};
const path = (value) => tuple(value, 2).map(index);
const windowPlace = (value) => {
    if (value == null) return null;
    const place = readPlace(value);
    demand(place, 'a place must have five whole numbers from 0');
    return place;
};
const readItem = ([n, ...p]) => new Part(number(n), p.length ? text(p[0]) : null);
const readSection = (value) =>
    new Part(
        number(object(value).n),
        value.p == null ? null : text(value.p),
        list(value.items, (item) => readItem(tuple(item, 1, 2))),
    );

function readVersion(value) {
    const [, handle, digits] = /^([0-9a-f]{16})\.(0|[1-9][0-9]{0,18})$/i.exec(text(value)) ?? [];
    demand(handle && BigInt(digits) < 2n ** 63n, 'a version must be a handle, a point and a number');
    return { handle: handle.toLowerCase(), number: BigInt(digits) };
}

function readDigest(value) {
    demand(/^[0-9a-f]{32}$/i.test(text(value)), 'a digest must have 32 hexadecimal digits');
    return value.toLowerCase();
}

function readReset(body) {
    text(body.reason);
    const reset = {
        version: readVersion(body.version),
        digest: readDigest(body.digest),
        place: windowPlace(body.place),
        sections: list(body.sections, readSection),
    };
    checkNumbers(reset.sections, []);
    return reset;
}

function readUpdate(body) {
    const update = {
        from: readVersion(body.from),
        to: readVersion(body.to),
        digest: body.digest == null ? null : readDigest(body.digest),
        place: windowPlace(body.place),
        removeItems: list(body.removeItems, path),
        removeSections: list(body.removeSections, index),
        insertSections: list(body.insertSections, (value) => {
            const at = index(object(value).at);
            if (!('from' in value)) return { at, section: readSection(value) };
            const brings = 'n' in value || 'p' in value || 'items' in value;
            demand(!brings, 'a section that moves must have no contents');
            return { at, from: index(value.from) };
        }),
        insertItems: list(body.insertItems, (value) => {
            const at = path(tuple(value, 3, 4).slice(0, 2));
            if (!Array.isArray(value[2])) return { at, item: readItem(value.slice(2)) };
            return { at, from: path(tuple(value, 3)[2]) };
        }),
        changeItems: list(body.changeItems, (value) => {
            const at = path(tuple(value, 2, 3).slice(0, 2));
            return { at, p: value.length > 2 ? text(value[2]) : null };
        }),
        changeSections: list(body.changeSections, (value) => {
            const at = index(tuple(value, 1, 2)[0]);
            return { at, p: value.length > 1 ? text(value[1]) : null };
        }),
    };
    checkOrder(update);
    checkMoves(update);
    return update;
}

function checkOrder(update) {
    const compare = (a, b) => (Array.isArray(a) ? a[0] - b[0] || a[1] - b[1] : a - b);
    const check = (places) => {
        const fits = places.every((at, k) => !k || compare(places[k - 1], at) < 0);
        demand(fits, 'a list must be in order, without duplicates');
    };
    check([...update.removeItems].reverse());
    check([...update.removeSections].reverse());
    const { insertSections, insertItems, changeItems, changeSections } = update;
    for (const run of [insertSections, insertItems, changeItems, changeSections]) {
        check(run.map(({ at }) => at));
    }
}

function checkNumbers(sections, items) {
    const unique = (all) => new Set(all.map(({ n }) => n)).size === all.length;
    const brought = items.concat(sections.flatMap((section) => section.items));
    demand(unique(sections) && unique(brought), 'a number must occur only once');
}

function checkMoves({ removeItems, removeSections, insertSections, insertItems }) {
    const newSections = insertSections.filter(({ section }) => section);
    const items = insertItems.flatMap(({ item }) => item ?? []);
    checkNumbers(newSections.map(({ section }) => section), items);
    const moved = (insertions, removals) => {
        const sources = insertions.flatMap(({ from }) => (from === undefined ? [] : String(from)));
        const [froms, gone] = [new Set(sources), new Set(removals.map(String))];
        const fits = froms.size === sources.length && sources.every((from) => gone.has(from));
        demand(fits, 'a move must start at a removed place, only once');
        return froms;
    };
    const movedItems = moved(insertItems, removeItems);
    const movedSections = moved(insertSections, removeSections);
    // An item that is removed or inserted with its section must not be listed.
    const gone = new Set(removeSections.filter((at) => !movedSections.has(String(at))));
    const arrived = new Set(newSections.map(({ at }) => at));
    const fits =
        removeItems.every((at) => !gone.has(at[0]) || movedItems.has(String(at))) &&
        insertItems.every(({ at, from }) => from || !arrived.has(at[0]));
    demand(fits, 'an item must not be listed if its section is removed or inserted');
}

const fits = (at, count) => at < count || fail('misfit', `place ${at} does not exist`);

/** Returns the elements without those at `places`, which descend. */
function removing(elements, places) {
    if (places.length) fits(places[0], elements.length);
    const left = elements.slice(0, places.at(-1));
    for (let k = places.length - 1; k >= 0; k--) {
        const end = k > 0 ? places[k - 1] : elements.length;
        for (let at = places[k] + 1; at < end; at++) left.push(elements[at]);
    }
    return left;
}

/** Returns the elements with insertions `[place, element]`. The places are new ones and ascend. */
function inserting(elements, insertions) {
    const all = elements.slice(0, insertions[0]?.[0]);
    let next = all.length;
    for (const [at, element] of [...insertions, [Infinity]]) {
        while (all.length < at && next < elements.length) all.push(elements[next++]);
        if (at === Infinity) break;
        fits(at, all.length + 1);
        all.push(element);
    }
    return all;
}

/** Groups edits by section, in order. */
function bySection(edits, sectionOf) {
    const groups = new Map();
    for (const edit of edits) {
        const section = sectionOf(edit);
        if (!groups.has(section)) groups.set(section, []);
        groups.get(section).push(edit);
    }
    return groups;
}

/** Returns the sections after an update, whose runs are applied in order. `old` does not change. */
function edited(old, update) {
    let next = [...old];
    const copies = new Set();
    const copy = (at) => {
        fits(at, next.length);
        if (!copies.has(next[at])) {
            const { n, p, items } = next[at];
            next[at] = new Part(n, p, [...items]);
            copies.add(next[at]);
        }
        return next[at];
    };
    for (const [at, paths] of bySection(update.removeItems, ([section]) => section)) {
        const section = copy(at);
        section.items = removing(section.items, paths.map(([, item]) => item));
    }
    const carried = new Map(update.removeSections.map((at) => [at, next[at]]));
    const sections = update.insertSections.map(({ at, section, from }) => [
        at,
        section ?? carried.get(from),
    ]);
    next = inserting(removing(next, update.removeSections), sections);
    for (const [at, insertions] of bySection(update.insertItems, ({ at: [section] }) => section)) {
        const section = copy(at);
        const brought = ({ item, from }) => item ?? old[from[0]].items[from[1]];
        section.items = inserting(section.items, insertions.map((edit) => [edit.at[1], brought(edit)]));
    }
    for (const { at: [section, item], p } of update.changeItems) {
        const { items } = copy(section);
        fits(item, items.length);
        items[item] = new Part(items[item].n, p);
    }
    for (const { at, p } of update.changeSections) {
        fits(at, next.length);
        next[at] = new Part(next[at].n, p, next[at].items);
    }
    return next;
}
