// A list of the mock server and those who follow it, as a hub would have it.

import { randomBytes } from 'node:crypto';
import {
    atRow, part, resetMessage, rowOf, updateMessage, windowOf,
} from '../../browser-replica/model.mjs';

const remembered = 500;

/** A list with the states that somebody may come back with. */
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

    /** A state as it was; null where it is forgotten. */
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

    /** So many rows come at the beginning. */
    grow(makeItem, count) {
        const [{ n, p, items }, ...rest] = this.sections;
        const more = Array.from({ length: count }, (_, at) => makeItem(items.length + at));
        this.commit([part(n, p, [...more, ...items]), ...rest]);
    }

    get snapshot() {
        return resetMessage(this.version(), { sections: this.sections });
    }
}

/** Somebody who follows a list, whole or through a window, at the speed of a connection. */
export class MockReader {
    id = randomBytes(16).toString('hex');
    #list;
    #window;
    #response;
    #told = null;
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
            this.#told = { sections: known, place: null };
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
        const { digest } = resetMessage('', this.#told).reset;
        this.#send({ upToDate: { version: this.#version, digest } });
    }

    get #version() {
        return this.#list.version(this.#number);
    }

    /** A window that is around a row follows what is in that row. */
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
        // What it was around is gone: it stays where that was.
        if (row >= 0) window.anchor = row;
        return windowOf(sections, window.anchor - window.before, window.anchor + window.after);
    }

    /** Sends what is missing, soon: all that was changed until then at once. */
    wake() {
        if (this.#isScheduled) return;
        this.#isScheduled = true;
        setImmediate(() => {
            this.#isScheduled = false;
            // A connection that is slow gets the difference when it is empty again.
            if (!this.#response.writableNeedDrain) this.#flush();
        });
    }

    #flush() {
        const isCurrent = this.#number === this.#list.number && !this.#hasWindowChanged;
        if (isCurrent || this.#response.destroyed) return;
        this.#hasWindowChanged = false;
        const [old, told] = [this.#number && this.#version, this.#told];
        const next = this.#content();
        const number = this.#list.number;
        if (old) {
            const message = updateMessage(old, this.#list.version(number), told, next);
            const isSame = JSON.stringify(told.place) === JSON.stringify(next.place);
            const { from, to, digest, place, ...edits } = message.update;
            // A window that nothing has changed is told nothing.
            if (next.place && isSame && !Object.keys(edits).length) return;
            this.#told = next;
            this.#number = number;
            return this.#send(message);
        }
        this.#told = next;
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
