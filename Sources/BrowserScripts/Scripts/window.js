// The position of a window in a long list, in rows and in pixels. A row is a section's header or an
// item: first the header of section 0, then its items, then the header of section 1, and so on.

const members = ['sections', 'items', 'section', 'item', 'before'];

/** Returns the place in a message; null if it has the wrong form. */
export function readPlace(value) {
    if (typeof value !== 'object' || value === null) return null;
    const place = {};
    for (const name of members) {
        if (!Number.isSafeInteger(value[name]) || value[name] < 0) return null;
        place[name] = value[name];
    }
    return Object.freeze(place);
}

/** Returns whether a window with these sections can be at a place. */
export const checkPlace = (place, sections) =>
    place.section + sections.length <= place.sections &&
    place.before + itemCount(sections) <= place.items &&
    place.item <= place.before &&
    (place.item === 0 || sections.length > 0) &&
    (place.section > 0 || place.before === place.item);

const itemCount = (sections) => sections.reduce((sum, { items }) => sum + items.length, 0);

/** Some browsers lay out only 17 million pixels; a longer list is compressed outside its window. */
const longest = 10_000_000;

/** The rows of a window, and the space that the rows outside it take. */
export class WindowSpace {
    /** The first row of the window, the row after its last, and the number of rows in the whole list. */
    first;
    end;
    total;
    /** The pixels above the window, between its first header and its first item, and below it. */
    above;
    inside;
    below;
    #heights;
    #sections;

    /** @param heights the heights of a `header` and of a `row`, in pixels. */
    constructor(place, sections, heights) {
        const { header, row } = heights;
        const count = itemCount(sections);
        this.#heights = heights;
        this.#sections = sections;
        this.total = place.sections + place.items;
        this.first = place.before + place.section + (place.item > 0 ? 1 : 0);
        this.end = place.before + count + place.section + sections.length;
        const scale = Math.min(1, longest / (place.sections * header + place.items * row));
        const room = (headers, items) => (headers * header + items * row) * scale || 0;
        this.above = room(place.section, place.before - place.item);
        this.inside = room(0, place.item);
        const sectionsAfter = place.sections - place.section - sections.length;
        this.below = room(sectionsAfter, place.items - place.before - count);
        // The row of the first section's header.
        this.head = place.before - place.item + place.section;
    }

    /**
     * Returns the row at `y` pixels from the top of the list. Inside the window it is exact; outside,
     * where the headers are not known, it is an estimate.
     */
    rowAt(y) {
        const { header, row } = this.#heights;
        // The small term is needed because 0.59 of 100 is less than 59 in floating point.
        const part = (from, to, share) =>
            Math.min(Math.floor(from + (to - from) * share + 1e-6), Math.max(from, to - 1));
        if (y < 0 || !this.total) return 0;
        if (y < this.above) return part(0, this.head, y / this.above);
        let top = this.above;
        let at = this.head;
        for (const [index, { items }] of this.#sections.entries()) {
            if (y < top + header) return at;
            top += header;
            at += 1;
            if (index === 0 && this.inside) {
                const skipped = this.first - at;
                if (y < top + this.inside) return part(at, this.first, (y - top) / this.inside);
                top += this.inside;
                at += skipped;
            }
            if (y < top + items.length * row) return at + Math.floor((y - top) / row);
            top += items.length * row;
            at += items.length;
        }
        const last = this.below ? part(this.end, this.total, (y - top) / this.below) : this.end;
        return Math.min(last, this.total - 1);
    }
}
