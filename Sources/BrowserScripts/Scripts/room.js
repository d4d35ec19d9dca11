// The empty room around a window, and between its first header and its first row.

import { WindowSpace } from './window.js';

/** Keeps as much room in a container as what is not in the window would take. */
export class Room {
    /** Of the window that there is room around; null for a whole list. */
    space = null;
    #container;
    #heights = { header: 0, row: 0 };

    constructor(container) {
        this.#container = container;
    }

    /**
     * Heights are seen where there is a header and a row; until then they are what was seen last.
     *
     * @param parts are what is shown, section by section: `{ section, element, list, row }`, with the
     * first row.
     */
    measure(parts) {
        const height = (element) => element?.getBoundingClientRect().height || 0;
        const row = height(parts.find(({ row }) => row)?.row);
        const [first] = parts;
        // With what is around them in their group.
        const header = first ? height(first.element) - height(first.list) : 0;
        this.#heights = { header: header || this.#heights.header, row: row || this.#heights.row };
    }

    /** Makes the room that a window at a place needs; where that is null, there is none. */
    make(parts, place) {
        // What the browser keeps in its place is lost when room changes, so it does not try.
        const anchoring = place ? 'none' : '';
        if (this.#container.style.overflowAnchor !== anchoring) {
            this.#container.style.overflowAnchor = anchoring;
        }
        if (place && !this.#heights.row) this.measure(parts);
        const sections = parts.map(({ section }) => section);
        this.space = place && new WindowSpace(place, sections, this.#heights);
        const { above = 0, inside = 0, below = 0 } = this.space ?? {};
        pad(this.#container, 'paddingTop', above);
        pad(this.#container, 'paddingBottom', below);
        parts.forEach(({ list }, at) => pad(list, 'paddingTop', at ? 0 : inside));
    }
}

function pad(element, side, pixels) {
    const padding = pixels ? `${pixels}px` : '';
    if ((element.style[side] ?? '') !== padding) element.style[side] = padding;
}
