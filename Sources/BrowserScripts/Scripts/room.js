// The empty space around a window, and between its first header and its first row.

import { WindowSpace } from './window.js';

/** Keeps as much space in a container as the rows outside the window would take. */
export class Room {
    /** The `WindowSpace` of the window that is shown; null for a whole list. */
    space = null;
    #container;
    #heights = { header: 0, row: 0 };

    constructor(container) {
        this.#container = container;
    }

    /**
     * Measures the height of a header and of a row. Without one of them, its last known height remains.
     *
     * @param parts the sections that are shown: `{ section, element, list, row }`, with the first row.
     */
    measure(parts) {
        const height = (element) => element?.getBoundingClientRect().height || 0;
        const row = height(parts.find(({ row }) => row)?.row);
        const [first] = parts;
        // Including the margins of the header in its group.
        const header = first ? height(first.element) - height(first.list) : 0;
        this.#heights = { header: header || this.#heights.header, row: row || this.#heights.row };
    }

    /** Adjusts the space to the place of a window; removes it if `place` is null. */
    make(parts, place) {
        // Scroll anchoring does not work when padding changes, so it is switched off.
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
