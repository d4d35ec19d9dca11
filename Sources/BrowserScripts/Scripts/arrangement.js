// The order of an element's children, with as few moves as possible.

/** The children that a parent must have, in order. As few elements as possible are moved. */
export class Arrangement {
    constructor(parent, elements) {
        const places = new Map([...parent.children].map((child, at) => [child, at]));
        this.parent = parent;
        this.elements = elements;
        this.staying = longestAscending(elements, (element) => places.get(element));
        /** The elements that are on the page already, in this parent or elsewhere, and must move. */
        this.moved = elements.filter((child) => child.isConnected && !this.staying.has(child));
    }

    arrange() {
        const { parent, staying } = this;
        let next = null;
        for (const element of [...this.elements].reverse()) {
            if (!staying.has(element)) {
                // If the browser supports it, frames, media and animations continue.
                const keeps = parent.moveBefore && parent.isConnected && element.isConnected;
                parent[keeps ? 'moveBefore' : 'insertBefore'](element, next);
            }
            next = element;
        }
    }
}

/**
 * The longest subsequence of elements with ascending keys, as a set. Elements without a key are left
 * out.
 */
function longestAscending(elements, key) {
    const ends = [];
    const before = new Map();
    for (const element of elements) {
        const at = key(element);
        if (at === undefined) continue;
        let [low, high] = [0, ends.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (key(ends[middle]) < at) low = middle + 1;
            else high = middle;
        }
        before.set(element, ends[low - 1]);
        ends[low] = element;
    }
    const longest = new Set();
    for (let element = ends.at(-1); element; element = before.get(element)) longest.add(element);
    return longest;
}
