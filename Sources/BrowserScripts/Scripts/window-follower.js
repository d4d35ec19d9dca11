// Which window of a long list is asked for, as somebody scrolls through it.

/**
 * Asks for another window of a list before what is seen comes to the end of the present one. One request is
 * under way at a time; where the list was scrolled on meanwhile, the next one follows.
 *
 * At the beginning of the list the window stays there (`{ row, rows }`), so that what comes first is seen.
 * Elsewhere it is one around a row that is seen, and follows it (`{ anchor, version, before, after }`).
 */
export class WindowFollower {
    #view;
    #replica;
    #onWindow;
    #options;
    /** What was asked for and is not there yet: `{ rows, isAnswered }`, with the rows that are wanted. */
    #asked = null;
    #frame = null;
    #timer = null;
    #isStopped = false;
    #scroll = () => {
        this.#frame ??= this.#options.nextFrame(() => {
            this.#frame = null;
            this.check();
        });
    };

    /**
     * @param view is a `ListView`, and `replica` what it shows.
     * @param onWindow sends a request; where its promise is rejected, it is called again later.
     * @param options.scroller is what scrolls; the page by default.
     * @param options.margin is how many screens there are to be above and below what is seen; twice as many
     * are asked for.
     * @param options.patience is for how many milliseconds an answered request may bring nothing until
     * another one is sent.
     * @param options.least is how many rows a screen has at least, as when it is hidden.
     */
    constructor(view, replica, onWindow, options = {}) {
        this.#view = view;
        this.#replica = replica;
        this.#onWindow = onWindow;
        const nextFrame = globalThis.requestAnimationFrame ?? ((done) => setTimeout(done, 16));
        const defaults = { scroller: globalThis, margin: 1, patience: 1000, least: 20 };
        this.#options = { ...defaults, nextFrame: (done) => nextFrame(done), ...options };
        this.#options.scroller.addEventListener('scroll', this.#scroll, { passive: true });
        this.#options.scroller.addEventListener('resize', this.#scroll, { passive: true });
    }

    /** The window around what is seen, as `onWindow` is given it; null for a whole list. */
    get window() {
        const rows = this.#view.visibleRows;
        const { version } = this.#replica;
        if (!rows || !version) return null;
        const count = this.#count(rows);
        const around = Math.ceil(2 * this.#options.margin * count);
        if (rows.first <= around) return { row: 0, rows: rows.first + count + around };
        return { anchor: rows.first, version, before: around, after: count + around };
    }

    /** Asks for another window if there is need: to be called when something was shown. */
    check() {
        if (this.#isStopped) return;
        const { space, visibleRows } = this.#view;
        if (!space || space.total === 0) return;
        const isThere = ([first, end]) =>
            space.first <= first && space.end >= Math.min(end, space.total);
        if (this.#asked) {
            // A message in between tells of other changes; it is there when its rows are.
            if (!this.#asked.isAnswered || !isThere(this.#asked.rows)) return;
            this.#settle();
        }
        const margin = Math.ceil(this.#options.margin * this.#count(visibleRows));
        const rows = [Math.max(0, visibleRows.first - margin), visibleRows.end + margin];
        if (!isThere(rows)) this.#ask(rows);
    }

    /** Forgets a request that nobody will answer, as when a connection has ended. */
    reset() {
        this.#settle();
    }

    stop() {
        this.#isStopped = true;
        this.#settle();
        this.#options.scroller.removeEventListener('scroll', this.#scroll);
        this.#options.scroller.removeEventListener('resize', this.#scroll);
    }

    #count({ first, end }) {
        return Math.max(end - first, this.#options.least);
    }

    async #ask(rows) {
        const asked = { rows, isAnswered: false };
        this.#asked = asked;
        try {
            await this.#onWindow(this.window);
        } catch {
            // Asked again, but not at once.
        }
        if (this.#asked !== asked || this.#isStopped) return;
        asked.isAnswered = true;
        this.#timer = setTimeout(() => {
            this.#settle();
            this.check();
        }, this.#options.patience);
        this.check();
    }

    #settle() {
        clearTimeout(this.#timer);
        this.#asked = null;
    }
}
