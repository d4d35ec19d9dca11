// An element that shows a list, and exports of everything else that a page may need.

import { ListView, Replica, follow } from './replica.js';

export { ListView, OptimisticList, Replica, ReplicaError, WindowFollower } from './replica.js';
export { follow, slide, wait } from './replica.js';

/**
 * The connection counts as lost after so many milliseconds without a byte. The hub needs a heartbeat.
 */
const silence = 30_000;

/**
 * `<live-list src="/orders"></live-list>` shows the list at `src` for as long as the element is in a
 * document. It reconnects when a connection ends, and when the element is put back, and receives what it
 * missed. The list replaces the element's children when the first message arrives.
 *
 * The attribute `state` is 'connecting', 'open', 'waiting' (to try again) or 'stopped', for style
 * sheets. An event `update` is dispatched after each message that was applied and shown; it does not
 * bubble.
 */
export class LiveList extends (globalThis.HTMLElement ?? class {}) {
    static observedAttributes = ['src'];
    /** The `Replica` that is shown. */
    replica = new Replica();
    /** The `ListView` that shows it; null before the first message. */
    view = null;
    /** The controller that stops the current connection; null without one. */
    #run = null;
    /** The address that the replica's state was received from. */
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
        // For an element that existed before this script, this is called twice: for its attribute, and
        // when it is connected.
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
        // The server cannot continue from a version of another address or of a window.
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
