// A replica's state on a page.

import { Arrangement } from './arrangement.js';
import { renumbered } from './renumbering.js';
import { Room } from './room.js';

/** Animates an element from its old position: the default animation of `ListView` for moved elements. */
export const slide = (element, dx, dy) =>
    element.animate?.([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], {
        duration: 200,
        easing: 'ease-out',
    });

const fillWithHTML = (row, payload) => {
    row.innerHTML = payload;
};

/**
 * Shows a replica in a container, which must have no other children: a group for each section, with a
 * heading and a list of rows. Payloads are HTML, so escape users' text when you render it.
 *
 * A row keeps its element for as long as its item exists, even if the item moves. Only rows with a new
 * payload are filled again. The focused element keeps the focus, and visible rows stay at their position
 * on the screen.
 *
 * Rows of a window have the same positions as in the whole list: the space outside the window is empty,
 * so the scroll bar is that of the whole list. This requires that all rows have the same height, and all
 * headers; both heights are measured. A `WindowFollower` requests another window in time.
 */
export class ListView {
    #replica;
    #container;
    #options;
    /** The rows and groups by number: `{ element, item }`, and `{ element, header, list, p }`. */
    #rows = new Map();
    #groups = new Map();
    /** The rows and headers, whose descendants all come from payloads. */
    #owned = new WeakSet();
    #shown = [];
    #shownPlace = null;
    #room;

    /**
     * @param options.animate is called with a row or group that has moved, and the distance to its old
     * position; null for no animation. It is not called if the user prefers reduced motion.
     * @param options.scroller the element that scrolls; the page by default.
     * @param options.anchors whether the browser keeps visible rows at their position by scroll
     * anchoring; detected by default. It is not used for windows.
     * @param options.fill puts the payload of an item into its row, if a row needs more than the
     * payload.
     */
    constructor(replica, container, options = {}) {
        const { animate = slide, scroller, anchors, fill = fillWithHTML } = options;
        this.#replica = replica;
        this.#container = container;
        const isCalm = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
        this.#options = {
            animate: isCalm ? null : animate,
            scroller: scroller ?? container.ownerDocument.scrollingElement,
            anchors: anchors ?? globalThis.CSS?.supports('overflow-anchor', 'auto') ?? false,
            fill,
        };
        this.#room = new Room(container);
        this.update();
    }

    /** Shows the replica's current state. Call it after one or more messages. */
    update() {
        // Read this first: an `OptimisticList` adopts numbers here, which changes `#shown`.
        const next = this.#replica.sections;
        const { place } = this.#replica;
        const old = this.#shown;
        if (next === old && place === this.#shownPlace) return;
        if (place) this.#room.measure(this.#parts());
        const isOld = new Set(old);
        const isNext = new Set(next);
        const changed = next.filter((section) => !isOld.has(section));
        // All reads of the page precede all writes; otherwise the browser would lay it out again and
        // again.
        const lists = changed.map((section) => {
            const rows = section.items.map((item) => this.#row(item).element);
            return new Arrangement(this.#group(section).list, rows);
        });
        const elements = next.map((section) => this.#group(section).element);
        const groups = new Arrangement(this.#container, elements);
        const moved = new Set([groups, ...lists].flatMap((arrangement) => arrangement.moved));
        const gone = old.filter((section) => !isNext.has(section)).flatMap(({ items }) => items);
        const goneRows = this.#gone(gone, changed);
        const keepFocus = this.#focus();
        const keepPlace = this.#place(old, moved, goneRows);
        // Groups precede their rows, because rows move with their group.
        const motions = [groups, ...lists].map(({ moved }) => this.#motion(moved));

        groups.arrange();
        for (const arrangement of lists) arrangement.arrange();
        for (const section of changed) this.#fill(section);
        for (const [n, { element }] of goneRows) {
            element.remove();
            this.#rows.delete(n);
        }
        const numbers = new Set(next.map(({ n }) => n));
        for (const [n, { element }] of this.#groups) {
            if (numbers.has(n)) continue;
            element.remove();
            this.#groups.delete(n);
        }
        this.#shown = next;
        this.#shownPlace = place;
        this.#room.make(this.#parts(), place);
        keepFocus();
        keepPlace();
        for (const start of motions) start();
    }

    /**
     * Returns the first place where other code has changed the page, such as `section 7`; null if the
     * page agrees with the replica. It compares the numbers of rows, not their contents.
     */
    divergence() {
        const numbers = (parent) => [...parent.children].map((child) => child.dataset.n).join();
        const expected = (list) => list.map(({ n }) => n).join();
        if (numbers(this.#container) !== expected(this.#replica.sections)) return 'sections';
        for (const section of this.#replica.sections) {
            const { list } = this.#groups.get(section.n);
            if (numbers(list) !== expected(section.items)) return `section ${section.n}`;
        }
        return null;
    }

    /** The `WindowSpace` of the window that is shown; null for a whole list. */
    get space() {
        return this.#room.space;
    }

    /** The first visible row, and the row after the last visible one; null for a whole list. */
    get visibleRows() {
        const { space } = this;
        if (!space) return null;
        const [top, bottom] = this.#bounds();
        const from = this.#container.getBoundingClientRect().top;
        return { first: space.rowAt(top - from), end: space.rowAt(bottom - from - 1) + 1 };
    }

    /** Gives an item another number, so that it keeps its row. */
    adopt(old, n) {
        const row = this.#rows.get(old);
        if (!row || this.#rows.has(n)) return;
        this.#rows.delete(old);
        row.element.dataset.n = n;
        this.#rows.set(n, row);
        const adopted = (item) => (item.n === old ? { n, p: item.p } : item);
        this.#shown = this.#shown.map((section) =>
            section.items.some((item) => item.n === old)
                ? { ...section, items: section.items.map(adopted) }
                : section,
        );
    }

    /**
     * Prepares for a state of another history, for example after a restart of the server: elements with
     * the same name keep their rows and groups, although their numbers differ.
     *
     * @param identify returns the name in a payload.
     */
    renumber(identify) {
        const next = this.#replica.sections;
        const old = this.#shown;
        this.#shown = renumbered(old, next, identify);
        const items = (sections) => sections.flatMap((section) => section.items);
        const rekeyed = (elements, before, after) =>
            new Map(before.map(({ n }, at) => [after[at].n, elements.get(n)]));
        this.#rows = rekeyed(this.#rows, items(old), items(this.#shown));
        this.#groups = rekeyed(this.#groups, old, this.#shown);
        for (const entries of [this.#rows, this.#groups]) {
            for (const [n, { element }] of entries) element.dataset.n = n;
        }
    }

    /**
     * Measures the rows of a window again. Call it when their heights may have changed, for example
     * with the width.
     */
    resize() {
        if (!this.#shownPlace) return;
        this.#room.measure(this.#parts());
        this.#room.make(this.#parts(), this.#shownPlace);
    }

    /** The sections that are shown, with the elements that are measured. */
    #parts() {
        return this.#shown.map((section) => {
            const { element, list } = this.#groups.get(section.n);
            return { section, element, list, row: this.#rows.get(section.items[0]?.n)?.element };
        });
    }

    /** The top and bottom of the visible area, in pixels on the screen. */
    #bounds() {
        const { scroller } = this.#options;
        const isPage = scroller === this.#container.ownerDocument.scrollingElement;
        const top = isPage ? 0 : scroller.getBoundingClientRect().top;
        return [top, top + scroller.clientHeight];
    }

    /** Reads the positions of elements. Returns a function that animates them from there. */
    #motion(elements) {
        const { animate } = this.#options;
        if (!animate) return () => {};
        const frames = () => elements.map((element) => element.getBoundingClientRect());
        const old = frames();
        return () => {
            for (const [at, { left, top }] of frames().entries()) {
                const [dx, dy] = [old[at].left - left, old[at].top - top];
                if (dx || dy) animate(elements[at], dx, dy);
            }
        };
    }

    #element(role, n) {
        const element = this.#container.ownerDocument.createElement('div');
        element.setAttribute('role', role);
        if (n) element.dataset.n = n;
        return element;
    }

    #row(item) {
        let row = this.#rows.get(item.n);
        if (!row) {
            row = { element: this.#element('listitem', item.n), item: null };
            this.#owned.add(row.element);
            this.#rows.set(item.n, row);
        }
        return row;
    }

    #group({ n }) {
        let group = this.#groups.get(n);
        if (!group) {
            const element = this.#element('group', n);
            const [header, list] = [this.#element('heading'), this.#element('list')];
            header.setAttribute('aria-level', '2');
            element.append(header, list);
            this.#owned.add(header);
            group = { element, header, list };
            this.#groups.set(n, group);
        }
        return group;
    }

    #fill(section) {
        const group = this.#group(section);
        if (group.p !== section.p) {
            group.p = section.p;
            group.header.innerHTML = section.p ?? '';
            group.header.hidden = section.p === null;
        }
        for (const item of section.items) {
            const row = this.#row(item);
            if (!row.item || row.item.p !== item.p) this.#options.fill(row.element, item.p ?? '');
            row.item = item;
        }
    }

    /** The rows of items that are no longer in a changed section, as `[n, row]`. */
    #gone(items, changed) {
        const gone = new Map(items.map(({ n }) => [n, this.#rows.get(n)]));
        for (const { n } of changed.flatMap((section) => section.items)) gone.delete(n);
        return [...gone].filter(([, row]) => row);
    }

    /** Finds the focused element. Returns a function that focuses it again, if it has lost the focus. */
    #focus() {
        const page = this.#container.ownerDocument;
        const active = page.activeElement;
        const isInside = active !== this.#container && this.#container.contains(active);
        if (!active || !isInside) return () => {};
        const { selectionStart, selectionEnd } = active;
        const path = [];
        let owner = active;
        for (; owner !== this.#container && !this.#owned.has(owner); owner = owner.parentNode) {
            path.unshift([...owner.parentNode.children].indexOf(owner));
        }
        return () => {
            // If the row was filled again, the element at the same place in it.
            const there = path.reduce((node, at) => node?.children[at], owner);
            const inside = active.isConnected ? active : there;
            if (!inside?.isConnected || page.activeElement === inside) return;
            inside.focus({ preventScroll: true });
            if (selectionStart != null) inside.setSelectionRange?.(selectionStart, selectionEnd);
        };
    }

    /**
     * Finds the first visible row that stays. Returns a function that scrolls it back to its position.
     */
    #place(sections, moved, goneRows) {
        const { scroller, anchors } = this.#options;
        // At the beginning of the list, new rows must be visible. Browsers do the same.
        const isWindow = this.#shownPlace !== null;
        if ((anchors && !isWindow) || !scroller?.scrollTop) return () => {};
        const gone = new Set(goneRows.map(([, { element }]) => element));
        const items = sections.flatMap((section) => section.items);
        const rows = items.flatMap(({ n }) => this.#rows.get(n)?.element ?? []);
        const [top, bottom] = this.#bounds();
        let [low, high] = [0, rows.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (rows[middle].getBoundingClientRect().bottom > top) high = middle;
            else low = middle + 1;
        }
        const groupOf = (row) => row.parentNode.parentNode;
        const stays = (row) => !moved.has(row) && !moved.has(groupOf(row)) && !gone.has(row);
        const anchor = rows.slice(low).find(stays) ?? rows.slice(0, low).findLast(stays);
        const before = anchor?.getBoundingClientRect();
        // A reader who has scrolled out of the window stays there.
        if (!before || (isWindow && (before.bottom <= top || before.top >= bottom))) return () => {};
        return () => {
            const distance = anchor.getBoundingClientRect().top - before.top;
            if (distance) scroller.scrollTop += distance;
        };
    }
}
