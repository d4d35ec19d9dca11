// A followed list: its connection, its copy, and its view.

import { ListView, OptimisticList, Replica, WindowFollower, follow, wait } from './replica.js';

/** A list of at most `fewRows` is followed whole until it exceeds `manyRows`. */
const [fewRows, manyRows] = [500, 1000];
/** The milliseconds of silence before a reconnect. The server sends at least every 10 seconds. */
const silence = 25_000;

/** Returns the application's name of a row or section from its markup. */
const identify = (payload) => /data-id="([^"]*)"/.exec(payload)?.[1] ?? null;
const historyOf = (version) => version?.split('.')[0];

/**
 * Follows a list, and shows it in its own container when the first state arrives. `start`, `pause`
 * and `stop` may be called in any order; a restart continues from the current state.
 */
export class Session {
    replica = new Replica();
    list;
    view = null;
    /** The name of the connection, for `POST …/window`. */
    #connection = null;
    #follower = null;
    #isWhole = false;
    #run = null;
    #wake = new AbortController();
    #frame = null;
    /** The history of the visible rows. */
    #shown = null;
    #options;

    /**
     * @param options.name is the name of the list.
     * @param options.container and `options.scroller` are elements; `onFirst` inserts the container.
     * @param options.edits are options of an `OptimisticList`, for an editable list.
     * @param options.onState receives the states of `follow`, and 'paused'.
     * @param options.onShown is called after the page has changed.
     */
    constructor(options) {
        this.#options = options;
        const onChange = () => this.#schedule();
        const onArrived = (old, n) => this.view?.adopt(old, n);
        const { edits } = options;
        this.list = edits
            ? new OptimisticList(this.replica, { ...edits, onChange, onArrived })
            : this.replica;
    }

    get name() {
        return this.#options.name;
    }

    get container() {
        return this.#options.container;
    }

    start() {
        if (this.#run) return;
        this.#run = new AbortController();
        const { signal } = this.#run;
        const onState = (state, ...more) => {
            // A connection that this session ended reports no states.
            if (!signal.aborted) this.#options.onState(state, ...more);
        };
        const onMessage = (message) => {
            if (!signal.aborted) this.#take(message);
        };
        // The version of a window cannot continue the whole list.
        const isWhole = this.#isWhole && this.replica.place === null;
        follow(() => this.#address(), onMessage, onState, {
            signal,
            silence,
            version: isWhole ? this.replica.version : null,
            // A window is sent completely: it is small, and may differ from the previous one.
            resumes: () => this.#isWhole,
            longest: 15_000,
            pause: (milliseconds) => wait(milliseconds, AbortSignal.any([signal, this.#wake.signal])),
            onEvent: (type, data) => {
                if (type === 'connection') this.#connection = JSON.parse(data).connection;
            },
        });
    }

    /** Ends the connection; the rows stay visible. */
    pause() {
        if (!this.#run) return;
        this.#end();
        this.#options.onState('paused');
    }

    stop() {
        this.#end();
        this.#follower?.stop();
        cancelAnimationFrame(this.#frame);
    }

    /** Starts the next attempt immediately. */
    hurry() {
        this.#wake.abort();
        this.#wake = new AbortController();
    }

    resize() {
        this.view?.resize();
        this.#follower?.check();
    }

    #end() {
        this.#run?.abort();
        this.#run = null;
        this.#connection = null;
        this.#follower?.reset();
    }

    #address() {
        // Requests on the previous connection get no response on this one.
        this.#follower?.reset();
        this.#connection = null;
        const { name } = this.#options;
        // A new list starts at its top. A list that has grown long may be scrolled anywhere.
        const first = { row: 0, rows: this.view ? 2 * manyRows : 120 };
        const window = this.#isWhole ? {} : this.#follower?.window ?? first;
        const query = new URLSearchParams(window);
        return `/lists/${encodeURIComponent(name)}/updates${query.size ? `?${query}` : ''}`;
    }

    #take(message) {
        this.replica.apply(message);
        const { place, sections } = this.replica;
        const count = place
            ? place.sections + place.items
            : sections.reduce((sum, { items }) => sum + 1 + items.length, 0);
        this.#schedule();
        if (this.#isWhole ? count <= manyRows : count > fewRows) return;
        // The list is shorter or longer than expected, so follow it the other way.
        this.#isWhole = !this.#isWhole;
        this.#end();
        queueMicrotask(() => this.start());
    }

    /** Shows all received messages in the next frame, which a hidden tab gets when it is visible. */
    #schedule() {
        this.#frame ??= requestAnimationFrame(() => {
            this.#frame = null;
            this.#show();
        });
    }

    #show() {
        if (!this.replica.version) return;
        if (!this.view) {
            const { container, scroller, onFirst, animate, fill } = this.#options;
            onFirst(this);
            this.view = new ListView(this.list, container, { animate, scroller, fill });
            const ask = (window) => this.#ask(window);
            this.#follower = new WindowFollower(this.view, this.list, ask, { scroller });
        } else {
            // The server has restarted, and its numbers differ.
            if (historyOf(this.replica.version) !== this.#shown) this.view.renumber(identify);
            this.view.update();
        }
        this.#shown = historyOf(this.replica.version);
        this.container.classList.toggle('windowed', this.list.place !== null);
        this.#follower.check();
        this.#options.onShown(this);
    }

    async #ask(window) {
        if (!this.#connection) throw new Error('there is no connection');
        const { name } = this.#options;
        const address = `/lists/${encodeURIComponent(name)}/window?connection=${this.#connection}`;
        const response = await fetch(address, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(window),
        });
        if (!response.ok) throw new Error(`the server responded with ${response.status}`);
    }
}
