// One list that is followed: its connection, its copy, and what is seen of it.

import { ListView, OptimisticList, Replica, WindowFollower, follow, wait } from './replica.js';

/** Up to how many rows a list begins to be followed whole, and up to how many it is. */
const [fewRows, manyRows] = [500, 1000];
/** The server sends something every ten seconds. */
const silence = 25_000;

/** The application's name of a row or a section, as it stands in its markup. */
const identify = (payload) => /data-id="([^"]*)"/.exec(payload)?.[1] ?? null;
const historyOf = (version) => version?.split('.')[0];

/**
 * Follows a list, and shows it in a container of its own once there is something to show. `start`,
 * `pause` and `stop` may come in any order; who starts again goes on from what there is.
 */
export class Session {
    replica = new Replica();
    list;
    view = null;
    /** The identifier of the connection, for `POST …/window`. */
    #connection = null;
    #follower = null;
    #isWhole = false;
    #run = null;
    #wake = new AbortController();
    #frame = null;
    /** Of which history what is seen is. */
    #shown = null;
    #options;

    /**
     * @param options.name: which list.
     * @param options.container and `options.scroller` are elements; `onFirst` puts the container in.
     * @param options.edits are those of an `OptimisticList`, for a list that can be edited.
     * @param options.onState has the states of `follow`, and 'paused'.
     * @param options.onShown is called when the page shows something else.
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
            // A connection that was ended on purpose has nothing to say.
            if (!signal.aborted) this.#options.onState(state, ...more);
        };
        const onMessage = (message) => {
            if (!signal.aborted) this.#take(message);
        };
        // What leads on from a window does not lead on from the whole list.
        const isWhole = this.#isWhole && this.replica.place === null;
        follow(() => this.#address(), onMessage, onState, {
            signal,
            silence,
            version: isWhole ? this.replica.version : null,
            // A window is sent whole: it is small, and may be another one than before.
            resumes: () => this.#isWhole,
            longest: 15_000,
            pause: (milliseconds) => wait(milliseconds, AbortSignal.any([signal, this.#wake.signal])),
            onEvent: (type, data) => {
                if (type === 'connection') this.#connection = JSON.parse(data).connection;
            },
        });
    }

    /** Ends the connection; what is seen stays. */
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

    /** Does not wait until the next attempt. */
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
        // What was asked on another connection is not answered on this one.
        this.#follower?.reset();
        this.#connection = null;
        const { name } = this.#options;
        // A list that has become long is seen anywhere, and a new one at its beginning.
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
        // The list is not so long, or not so short, as it was thought to be.
        this.#isWhole = !this.#isWhole;
        this.#end();
        queueMicrotask(() => this.start());
    }

    /** Shows all that has come until the page is drawn again; in a hidden tab, until it is seen. */
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
            // The server has begun again, and its numbers are others.
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
        if (!response.ok) throw new Error(`the server answered ${response.status}`);
    }
}
