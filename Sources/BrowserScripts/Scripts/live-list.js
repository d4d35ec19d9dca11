// An element that follows a list, and everything else that a page may need.

import { ListView, Replica, follow } from './replica.js';

export { ListView, OptimisticList, Replica, ReplicaError, WindowFollower } from './replica.js';
export { follow, slide, wait } from './replica.js';

/** After how many milliseconds without a byte the connection counts as lost: the server has a heartbeat. */
const silence = 30_000;

/**
 * `<live-list src="/orders"></live-list>` shows the list at `src` for as long as the element is in a
 * document. It reconnects when a connection ends, and when the element is put back, and receives what it
 * missed. The list replaces the element's children when the first message arrives.
 *
 * The attribute `state` is 'connecting', 'open', 'waiting' (to try again) or 'stopped', for style sheets. An
 * event `update` follows each message that was applied and shown; it does not bubble.
 */
export class LiveList extends (globalThis.HTMLElement ?? class {}) {
    static observedAttributes = ['src'];
    /** The `Replica` that is shown. */
    replica = new Replica();
    /** The `ListView` that shows it; null before the first message. */
    view = null;
    /** Stops the current connection; null if there is none. */
    #run = null;
    /** The address that the replica's state is from. */
    #source = null;

    connectedCallback() {
        this.#start();
    }

    disconnectedCallback() {
        this.#stop();
    }

    /** A move that keeps the element's state (`moveBefore`) keeps the connection too. */
    connectedMoveCallback() {}

    attributeChangedCallback(name, old, value) {
        if (old === value) return;
        this.#stop();
        if (this.isConnected) this.#start();
    }

    #start() {
        const source = this.getAttribute('src');
        // An element that was there before this script is told of its address, and then of the document.
        if (this.#run || source === null) return;
        const run = new AbortController();
        this.#run = run;
        const isCurrent = () => this.#run === run;
        const onMessage = (message) => {
            if (!isCurrent()) return;
            this.replica.apply(message);
            this.#source = source;
            this.#show();
        };
        const onState = (state) => {
            if (isCurrent()) this.setAttribute('state', state);
        };
        // A version of another address, or of a window, leads to nothing that can be followed on.
        const resumes = () => this.#source === source && this.replica.place === null;
        const { signal } = run;
        follow(source, onMessage, onState, { signal, silence, resumes, version: this.replica.version });
    }

    #stop() {
        if (!this.#run) return;
        this.#run.abort();
        this.#run = null;
        this.setAttribute('state', 'stopped');
    }

    #show() {
        if (this.view) {
            this.view.update();
        } else {
            this.replaceChildren();
            this.view = new ListView(this.replica, this);
        }
        this.dispatchEvent(new Event('update'));
    }
}

if (globalThis.customElements && !customElements.get('live-list')) {
    customElements.define('live-list', LiveList);
}
