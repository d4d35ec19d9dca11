// A list of the mock server and its readers, like a hub.

import { randomBytes } from 'node:crypto';
import {
    atRow, part, resetMessage, rowOf, updateMessage, windowOf,
} from '../../browser-replica/model.mjs';

const remembered = 500;

/** A list with the recent states from which a reader may resume. */
export class MockList {
    readers = new Set();
    #states = [];
    #handle = randomBytes(8).toString('hex');
    #number = 0;

    constructor(name, title, sections, isEditable = false) {
        this.name = name;
        this.title = title;
        this.isEditable = isEditable;
        this.commit(sections);
    }

    get sections() {
        return this.#states.at(-1).sections;
    }

    get number() {
        return this.#number;
    }

    get handle() {
        return this.#handle;
    }

    version(number = this.#number) {
        return `${this.#handle}.${number}`;
    }

    /** Returns an earlier state, or null if the list no longer has it. */
    at(number) {
        return this.#states.find((state) => state.number === number)?.sections ?? null;
    }

    commit(sections) {
        this.#number += 1;
        this.#states.push({ number: this.#number, sections });
        if (this.#states.length > remembered) this.#states.shift();
        for (const reader of this.readers) reader.wake();
        return this.version();
    }

    /** Inserts rows at the beginning. */
    grow(makeItem, count) {
        const [{ n, p, items }, ...rest] = this.sections;
        const more = Array.from({ length: count }, (_, at) => makeItem(items.length + at));
        this.commit([part(n, p, [...more, ...items]), ...rest]);
    }

    get snapshot() {
        return resetMessage(this.version(), { sections: this.sections });
    }
}

/** A reader that follows a list or a window of it at the speed of its connection. */
export class MockReader {
    id = randomBytes(16).toString('hex');
    #list;
    #window;
    #response;
    #sent = null;
    #number = null;
    #isScheduled = false;
    #hasWindowChanged = false;

    constructor(list, window, response) {
        this.#list = list;
        this.#response = response;
        this.#window = window && this.#resolved(window);
        response.on('drain', () => this.wake());
    }

    begin(lastEventID) {
        this.#write(`event: connection\ndata: ${JSON.stringify({ connection: this.id })}\n\n`);
        const [handle, digits] = (lastEventID ?? '').split('.');
        const known = handle === this.#list.handle && this.#list.at(Number(digits));
        if (known && !this.#window) {
            this.#sent = { sections: known, place: null };
            this.#number = Number(digits);
            if (this.#number === this.#list.number) this.beat();
        }
        this.#list.readers.add(this);
        this.wake();
    }

    move(window) {
        this.#window = this.#resolved(window);
        this.#hasWindowChanged = true;
        this.wake();
    }

    beat() {
        if (this.#number !== this.#list.number) return;
        const { digest } = resetMessage('', this.#sent).reset;
        this.#send({ upToDate: { version: this.#version, digest } });
    }

    get #version() {
        return this.#list.version(this.#number);
    }

    /** Resolves the row that a window follows. */
    #resolved(window) {
        if (window.anchor === undefined) return window;
        const old = this.#list.at(Number(window.version.split('.')[1])) ?? this.#list.sections;
        return { ...window, ...atRow(old, window.anchor) };
    }

    #content() {
        const { sections } = this.#list;
        const window = this.#window;
        if (!window) return { sections, place: null };
        if (window.anchor === undefined) {
            return windowOf(sections, window.row, window.row + window.rows);
        }
        const row = window.n ? rowOf(sections, window.n, window.isSection) : -1;
        // If the row is gone, the window stays at its place.
        if (row >= 0) window.anchor = row;
        return windowOf(sections, window.anchor - window.before, window.anchor + window.after);
    }

    /** Schedules one message with all changes until then. */
    wake() {
        if (this.#isScheduled) return;
        this.#isScheduled = true;
        setImmediate(() => {
            this.#isScheduled = false;
            // A slow connection gets the difference after its buffer has drained.
            if (!this.#response.writableNeedDrain) this.#flush();
        });
    }

    #flush() {
        const isCurrent = this.#number === this.#list.number && !this.#hasWindowChanged;
        if (isCurrent || this.#response.destroyed) return;
        this.#hasWindowChanged = false;
        const [old, sent] = [this.#number && this.#version, this.#sent];
        const next = this.#content();
        const number = this.#list.number;
        if (old) {
            const message = updateMessage(old, this.#list.version(number), sent, next);
            const isSame = JSON.stringify(sent.place) === JSON.stringify(next.place);
            const { from, to, digest, place, ...edits } = message.update;
            // An unchanged window gets no message.
            if (next.place && isSame && !Object.keys(edits).length) return;
            this.#sent = next;
            this.#number = number;
            return this.#send(message);
        }
        this.#sent = next;
        this.#number = number;
        this.#send(resetMessage(this.#version, next));
    }

    #send(message) {
        this.#write(`id: ${this.#version}\ndata: ${JSON.stringify(message)}\n\n`);
    }

    #write(text) {
        if (!this.#response.destroyed) this.#response.write(text);
    }
}
