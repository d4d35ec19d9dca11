// Requests for windows of a long list while the reader scrolls.

/**
 * Requests another window of a list before the visible rows reach the end of the current one. Only one
 * request is pending at a time; if the list was scrolled further meanwhile, the next one follows.
 *
 * At the beginning of the list the window has fixed rows (`{ row, rows }`), so that new first rows are
 * visible. Elsewhere it is around a visible row, and follows it (`{ anchor, version, before, after }`).
 */
export class WindowFollower {
    #view;
    #replica;
    #onWindow;
    #options;
    /**
     * The pending request, `{ rows, isAnswered }`, with the rows that it must bring; null without one.
     */
    #request = null;
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
     * @param view a `ListView`.
     * @param replica the replica that the view shows.
     * @param onWindow sends a request. If its promise is rejected, it is called again later.
     * @param options.scroller the element that scrolls; the page by default.
     * @param options.margin the number of screens that must be loaded above and below the visible rows.
     * Requests are for twice as many.
     * @param options.patience the number of milliseconds after a response until another request is sent,
     * if the requested rows have not arrived.
     * @param options.least the minimum number of rows on a screen, which matters while it is hidden.
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

    /**
     * The window around the visible rows, in the form that `onWindow` receives; null for a whole list.
     */
    get window() {
        const rows = this.#view.visibleRows;
        const { version } = this.#replica;
        if (!rows || !version) return null;
        const count = this.#count(rows);
        const around = Math.ceil(2 * this.#options.margin * count);
        if (rows.first <= around) return { row: 0, rows: rows.first + count + around };
        return { anchor: rows.first, version, before: around, after: count + around };
    }

    /** Requests another window if necessary. Call it after each update of the view. */
    check() {
        if (this.#isStopped) return;
        const { space, visibleRows } = this.#view;
        if (!space || space.total === 0) return;
        const isThere = ([first, end]) =>
            space.first <= first && space.end >= Math.min(end, space.total);
        if (this.#request) {
            // Other messages may arrive first. The requested window has arrived when its rows have.
            if (!this.#request.isAnswered || !isThere(this.#request.rows)) return;
            this.#settle();
        }
        const margin = Math.ceil(this.#options.margin * this.#count(visibleRows));
        const rows = [Math.max(0, visibleRows.first - margin), visibleRows.end + margin];
        if (!isThere(rows)) this.#ask(rows);
    }

    /**
     * Forgets the pending request. Call it when the connection has ended and no response will arrive.
     */
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
        const request = { rows, isAnswered: false };
        this.#request = request;
        try {
            await this.#onWindow(this.window);
        } catch {
            // Requested again later.
        }
        if (this.#request !== request || this.#isStopped) return;
        request.isAnswered = true;
        this.#timer = setTimeout(() => {
            this.#settle();
            this.check();
        }, this.#options.patience);
        this.check();
    }

    #settle() {
        clearTimeout(this.#timer);
        this.#request = null;
    }
}
