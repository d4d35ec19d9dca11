// A page that survives rare events in any order: random lists, edits, restarts and adoptions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { part, resetMessage, updateMessage } from './model.mjs';
import { Page } from './page.mjs';
import { RandomList } from './random-list.mjs';
import { ListView, OptimisticList, Replica } from '../../Sources/BrowserScripts/Scripts/replica.js';

const render = ({ id, text }) => `<b id="${id}">${text}`;
const identify = (payload) => /id="([^"]*)"/.exec(payload)?.[1] ?? null;
const textOf = (payload) => payload.split('>')[1];

/** A server with a random list, a reader that edits it, and the page that the reader sees. */
class Walk {
    #list;
    #replica = new Replica();
    #history = 0;
    #number = 0;
    #numbers = new Map();
    #sent = [];
    #count = 0;
    #published;
    #shown = 0;
    #elements = new Map();

    constructor(seed) {
        // There are only few texts, so that different rows often have the same one.
        const payload = (n, turn) => render({ id: `${n}`, text: turn % 5 });
        this.#list = new RandomList(seed, { payload });
        this.restart();
        this.page = new Page();
        this.list = new OptimisticList(this.#replica, {
            identify,
            textOf,
            render,
            send: (edit) => new Promise((...ends) => this.#sent.push({ edit, ends })),
            onArrived: (old, n) => this.view?.adopt(old, n),
        });
        this.view = new ListView(this.list, this.page.container, { animate: null });
    }

    below(limit) {
        return this.#list.below(limit);
    }

    get #version() {
        return `${`${this.#history}`.padStart(16, '0')}.${this.#number}`;
    }

    /** The server's list, with the numbers of the current history. */
    #state() {
        const number = ({ p }) => {
            const name = identify(p);
            if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size + 1);
            return this.#numbers.get(name);
        };
        const sections = this.#list.sections.map((section) => {
            const items = section.items.map((item) => part(number(item), item.p));
            return part(number(section), section.p, items);
        });
        return { sections };
    }

    /** Publishes the server's list. */
    publish() {
        const [before, from] = [this.#published, this.#version];
        this.#published = this.#state();
        this.#number += 1;
        this.#replica.apply(updateMessage(from, this.#version, before, this.#published));
    }

    /**
     * Changes the list as other readers do. Sometimes a row gets the text of a row that was added here.
     */
    change() {
        this.#list.change({ edits: 1 + this.below(4), turn: this.below(5) });
        this.publish();
    }

    /** Restarts the server after a change that no reader has seen; all numbers differ. */
    restart() {
        [this.#history, this.#number, this.#numbers] = [this.#history + 1, 1, new Map()];
        if (this.below(2)) this.#list.change();
        this.#published = this.#state();
        this.#replica.apply(resetMessage(this.#version, this.#published));
    }

    perform() {
        const { sections } = this.list;
        const any = (parts) => parts[this.below(parts.length)];
        const section = any(sections);
        if (!section) return;
        const row = any(section.items);
        const [id, before] = [row, any([null, ...section.items])].map((item) => item && identify(item.p));
        const target = identify(any(sections).p);
        const edits = [{ edit: 'add', section: identify(section.p), text: `${this.below(5)}`, before }];
        if (row) {
            edits.push({ edit: 'move', id, section: target, before }, { edit: 'remove', id });
            edits.push({ edit: 'rename', id, text: `${this.below(5)}` });
        }
        this.list.perform(this.below(2) ? edits[0] : any(edits));
    }

    /** Applies or rejects the oldest edit; the response arrives before the message or after it. */
    async answer() {
        const sent = this.#sent.shift();
        if (!sent) return;
        const [resolve, reject] = sent.ends;
        const isAlone = this.list.pendingCount === 1 && sent.edit.edit !== 'add';
        const { sections } = this.list;
        const id = this.below(5) ? this.#make(sent.edit) : null;
        if (id === null) {
            reject(new Error('rejected'));
        } else if (this.below(2)) {
            this.publish();
            resolve({ version: this.#version, id });
        } else {
            resolve({ version: `${this.#version.split('.')[0]}.${this.#number + 1}`, id });
            await settled();
            this.publish();
        }
        await settled();
        // The optimistic state equals the server's result.
        if (id !== null && isAlone) assert.deepEqual(payloads(this.list.sections), payloads(sections));
    }

    /** Returns the name of the row that the edit refers to; null if the row is gone. */
    #make({ edit, id, section, text, before }) {
        const named = (name) => (other) => identify(other.p) === name;
        const { sections } = this.#list;
        const source = sections.find(({ items }) => items.some(named(id)));
        const target = sections.find(named(section));
        if ((edit !== 'add' && !source) || ((edit === 'add' || edit === 'move') && !target)) return null;
        const at = source?.items.findIndex(named(id));
        let row = source?.items[at];
        if (edit === 'rename') source.items[at] = row = part(row.n, render({ id, text }));
        if (edit === 'rename' || (edit === 'move' && before === id)) return id;
        if (edit === 'add') {
            const n = 1_000_000 + this.#count++;
            row = part(n, render({ id: `${n}`, text }));
        } else {
            source.items.splice(at, 1);
        }
        if (edit !== 'remove') {
            const next = target.items.findIndex(named(before));
            target.items.splice(next < 0 ? target.items.length : next, 0, row);
        }
        return identify(row.p);
    }

    get isRequested() {
        return this.#sent.length > 0;
    }

    /** Updates the view and checks the whole page. */
    show(place) {
        if (this.#shown !== this.#history) this.view.renumber(identify);
        this.#shown = this.#history;
        this.view.update();
        const { sections } = this.list;
        const seen = this.page.container.children.map(({ children: [header, list] }) => [
            header.innerHTML,
            ...list.children.map((row) => row.innerHTML),
        ]);
        assert.deepEqual(seen, payloads(sections), place);
        assert.equal(this.view.divergence(), null, place);
        // A row keeps its element for as long as a row of its name exists.
        const rows = this.page.container.children.flatMap(({ children }) => children[1].children);
        const elements = new Map(rows.map((row) => [identify(row.innerHTML), row]));
        for (const [name, element] of elements) {
            const old = this.#elements.get(name);
            assert.ok(name.startsWith('pending') || !old || old === element, `${place}: row ${name}`);
        }
        this.#elements = elements;
    }
}
const payloads = (sections) => sections.map(({ p, items }) => [p, ...items.map(({ p }) => p)]);
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the page equals the list, whatever happens between two updates', async () => {
    for (let seed = 1; seed <= 100; seed++) {
        const walk = new Walk(seed);
        for (let step = 0; step < 30; step++) {
            const dice = walk.below(16);
            if (dice < 4) walk.change();
            else if (dice < 5) walk.restart();
            else if (dice < 10) walk.perform();
            else if (dice < 13) await walk.answer();
            if (walk.below(2)) walk.show(`seed ${seed}, step ${step}`);
        }
        // After all responses, no edit is pending.
        await settled();
        while (walk.isRequested) await walk.answer();
        walk.change();
        assert.equal(walk.list.pendingCount, 0, `seed ${seed}`);
        walk.show(`seed ${seed}, at the end`);
    }
});
