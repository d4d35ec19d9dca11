// Keyboard navigation in a list: Tab reaches one row, and the arrow keys move from there.

/** Lets a row receive the focus, for example by a click. */
export function makeReachable(row) {
    if (!row.hasAttribute('tabindex')) row.tabIndex = -1;
}

/** Keeps one row of a list reachable, and moves the focus from row to row. */
export class RowFocus {
    #scroller;
    #current = null;
    #hadFocus = false;

    constructor(scroller) {
        this.#scroller = scroller;
        scroller.addEventListener('focusin', ({ target }) => {
            const row = this.rowOf(target);
            this.#hadFocus = row !== null;
            if (row) this.#choose(row);
        });
        scroller.addEventListener('focusout', ({ relatedTarget }) => {
            // If the focused row is removed, no other element receives the focus.
            if (relatedTarget && !scroller.contains(relatedTarget)) this.#hadFocus = false;
        });
        scroller.addEventListener('keydown', (event) => this.#press(event));
    }

    rowOf(target) {
        return target?.closest?.('[role=listitem]') ?? null;
    }

    get rows() {
        return [...this.#scroller.querySelectorAll('[role=listitem]')];
    }

    /** Updates the reachable row after the list has changed. */
    update() {
        if (this.#current?.isConnected) return;
        const page = this.#scroller.ownerDocument;
        const isLost = this.#hadFocus && page.activeElement === page.body;
        this.#current = null;
        const row = this.#scroller.querySelector('[role=listitem]');
        if (row) this.#choose(row);
        // Keeps the focus in the list, so that the arrow keys continue from the visible rows.
        if (isLost) this.#scroller.focus({ preventScroll: true });
    }

    focus(row) {
        if (!row) return;
        this.#choose(row);
        row.focus({ preventScroll: true });
        row.scrollIntoView({ block: 'nearest' });
    }

    #choose(row) {
        if (this.#current && this.#current !== row) this.#current.tabIndex = -1;
        this.#current = row;
        row.tabIndex = 0;
    }

    #press(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
        if (!step || !isPlain || event.target.matches('input, select')) return;
        const { rows } = this;
        const row = this.rowOf(event.target);
        const top = this.#scroller.getBoundingClientRect().top;
        const first = () => rows.find((row) => row.getBoundingClientRect().top >= top);
        const next = row ? rows[rows.indexOf(row) + step] : first();
        event.preventDefault();
        this.focus(next);
    }
}
