// In which order children are to be, and which of them stay.

/** What is to be in a parent, in order; as few elements are moved as can be. */
export class Arrangement {
    constructor(parent, elements) {
        const places = new Map([...parent.children].map((child, at) => [child, at]));
        this.parent = parent;
        this.elements = elements;
        this.staying = longestAscending(elements, (element) => places.get(element));
        /** Those that are on the page already, here or elsewhere, and change places with others. */
        this.moved = elements.filter((child) => child.isConnected && !this.staying.has(child));
    }

    arrange() {
        const { parent, staying } = this;
        let next = null;
        for (const element of [...this.elements].reverse()) {
            if (!staying.has(element)) {
                // Where the browser has it, frames, media and animations go on.
                const keeps = parent.moveBefore && parent.isConnected && element.isConnected;
                parent[keeps ? 'moveBefore' : 'insertBefore'](element, next);
            }
            next = element;
        }
    }
}

/** The most elements whose keys ascend, as a set; those without a key are not among them. */
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
