import assert from 'node:assert/strict';
import { test } from 'node:test';
import { part, resetMessage, updateMessage } from './model.mjs';
import { Page } from './page.mjs';
import { ListView, OptimisticList, Replica } from '../../Sources/BrowserScripts/Scripts/replica.js';

const render = ({ id, text }) => `<b id="${id}">${text}`;
const identify = (payload) => /id="([^"]*)"/.exec(payload)?.[1] ?? null;
const textOf = (payload) => payload.split('>')[1];

/** A board of columns and rows, and a reader's copy. The test decides when the server responds. */
class Board {
    columns;
    replica = new Replica();
    sent = [];
    rejected = [];
    arrived = [];
    changes = 0;
    #number = 1;
    #numbers = new Map();
    #answers = [];
    #shown;
    #history = '00000000000000aa';

    constructor(columns) {
        this.columns = columns;
        this.#shown = { sections: this.#sections() };
        this.replica.apply(resetMessage(this.version, this.#shown));
        this.list = new OptimisticList(this.replica, {
            identify,
            textOf,
            render,
            send: (edit) => {
                this.sent.push(edit);
                return new Promise((resolve, reject) => this.#answers.push({ resolve, reject }));
            },
            onChange: () => (this.changes += 1),
            onRejected: (edit, error) => this.rejected.push([edit.edit, error.message]),
            onArrived: (old, n) => this.arrived.push([old, n]),
        });
    }

    get version() {
        return `${this.#history}.${this.#number}`;
    }

    #n(id) {
        if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size + 1);
        return this.#numbers.get(id);
    }

    number(id) {
        return this.#numbers.get(id);
    }

    #sections() {
        return Object.entries(this.columns).map(([id, rows]) => {
            const items = rows.map(([id, text]) => part(this.#n(id), render({ id, text })));
            return part(this.#n(id), `<i id="${id}">`, items);
        });
    }

    /** Changes the columns, as another reader or as the server's result of an edit. */
    change(columns) {
        Object.assign(this.columns, columns);
        const old = this.version;
        this.#number += 1;
        const next = { sections: this.#sections() };
        this.replica.apply(updateMessage(old, this.version, this.#shown, next));
        this.#shown = next;
    }

    /** Restarts the server with another history. */
    restart(history) {
        [this.#history, this.#number] = [history, 1];
        this.#shown = { sections: this.#sections() };
        this.replica.apply(resetMessage(this.version, this.#shown));
    }

    async answer(answer) {
        this.#answers.shift().resolve(answer);
        await settled();
    }

    async reject(message) {
        this.#answers.shift().reject(new Error(message));
        await settled();
    }

    /** The visible texts of each column. */
    get seen() {
        return this.list.sections.map(({ items }) => items.map(({ p }) => textOf(p)).join(' '));
    }
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const rows = (...texts) => texts.map((text) => [text, text]);
const board = () => new Board({ todo: rows('a', 'b', 'c'), done: rows('x') });
const version = (number, history = '00000000000000aa') => `${history}.${number}`;

test('without edits the list equals the replica', () => {
    const { list, replica } = board();
    assert.equal(list.sections, replica.sections);
    assert.equal(list.version, replica.version);
    assert.equal(list.place, null);
});

test('an edit is visible immediately, and until the replica contains it', async () => {
    const it = board();
    it.list.perform({ edit: 'move', id: 'a', section: 'done', before: 'x' });
    it.list.perform({ edit: 'rename', id: 'b', text: 'B' });
    it.list.perform({ edit: 'remove', id: 'c' });
    it.list.perform({ edit: 'add', section: 'todo', text: 'd', before: 'b' });
    assert.deepEqual(it.seen, ['d B', 'a x']);
    assert.equal(it.changes, 4);
    await settled();
    // Edits are sent one at a time, so that the server applies them in order.
    assert.deepEqual(it.sent.map(({ edit }) => edit), ['move']);
    for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) {
        await it.answer({ version: version(at + 2), id });
    }
    assert.deepEqual(it.sent.map(({ edit }) => edit), ['move', 'rename', 'remove', 'add']);
    assert.equal(it.list.pendingCount, 4);
    assert.deepEqual(it.seen, ['d B', 'a x']);
    it.change({ todo: rows('b', 'c'), done: rows('a', 'x') });
    assert.deepEqual([it.seen, it.list.pendingCount], [['d B', 'a x'], 3]);
    it.change({ todo: [['b', 'B'], ['c', 'c']] });
    it.change({ todo: [['b', 'B']] });
    assert.deepEqual([it.seen, it.list.pendingCount], [['d B', 'a x'], 1]);
    it.change({ todo: [['d', 'd'], ['b', 'B']] });
    assert.deepEqual([it.seen, it.list.pendingCount], [['d B', 'a x'], 0]);
    assert.equal(it.list.sections, it.replica.sections);
});

test('a pending edit is applied to the changes of others', () => {
    const it = board();
    it.list.perform({ edit: 'move', id: 'c', section: 'todo', before: 'b' });
    it.list.perform({ edit: 'rename', id: 'a', text: 'A' });
    assert.deepEqual(it.seen, ['A c b', 'x']);
    // The row that `before` refers to moves elsewhere.
    it.change({ todo: rows('new', 'c', 'a'), done: rows('x', 'b') });
    assert.deepEqual(it.seen, ['new A c', 'x b']);
    // The row itself is removed, and then its section.
    it.change({ todo: rows('new', 'a'), done: rows('b') });
    assert.deepEqual(it.seen, ['new A', 'b']);
    it.list.perform({ edit: 'move', id: 'b', section: 'todo', before: null });
    it.list.perform({ edit: 'add', section: 'todo', text: 'more', before: null });
    assert.deepEqual(it.seen, ['new A b more', '']);
    delete it.columns.todo;
    it.change({});
    assert.deepEqual(it.seen, ['b']);
});

test('a rejected edit is undone and reported', async () => {
    const it = board();
    const result = it.list.perform({ edit: 'remove', id: 'b' });
    it.list.perform({ edit: 'rename', id: 'a', text: 'A' });
    await settled();
    await it.reject('gone');
    assert.equal(await result, null);
    assert.deepEqual(it.rejected, [['remove', 'gone']]);
    assert.deepEqual(it.seen, ['A b c', 'x']);
    assert.equal(it.sent.length, 2);
});

test('a row that was added can be edited before it has an identifier', async () => {
    const it = board();
    it.list.perform({ edit: 'add', section: 'todo', text: 'd', before: null });
    const id = identify(it.list.sections[0].items[3].p);
    it.list.perform({ edit: 'rename', id, text: 'D' });
    it.list.perform({ edit: 'move', id: 'x', section: 'todo', before: id });
    assert.deepEqual(it.seen, ['a b c x D', '']);
    await settled();
    await it.answer({ version: version(2), id: '7' });
    assert.deepEqual(it.sent[1], { edit: 'rename', id: '7', text: 'D' });
    it.change({ todo: [...rows('a', 'b', 'c'), ['7', 'd']] });
    assert.deepEqual(it.seen, ['a b c x D', '']);
    await it.answer({ version: version(3), id: '7' });
    assert.deepEqual(it.sent[2], { edit: 'move', id: 'x', section: 'todo', before: '7' });
});

test('edits of a rejected row are not sent', async () => {
    const it = board();
    it.list.perform({ edit: 'add', section: 'todo', text: 'd', before: null });
    const id = identify(it.list.sections[0].items[3].p);
    it.list.perform({ edit: 'rename', id, text: 'D' });
    it.list.perform({ edit: 'add', section: 'todo', text: 'e', before: id });
    await settled();
    await it.reject('too many');
    assert.deepEqual(it.rejected, [['add', 'too many']]);
    assert.deepEqual(it.sent.slice(1), [{ edit: 'add', section: 'todo', text: 'e', before: null }]);
    assert.deepEqual([it.seen, it.list.pendingCount], [['a b c e', 'x'], 1]);
});

test('an added row that arrives before the response is shown once', async () => {
    const it = board();
    it.list.perform({ edit: 'add', section: 'todo', text: 'b', before: null });
    it.list.perform({ edit: 'add', section: 'todo', text: 'b', before: null });
    assert.deepEqual(it.seen, ['a b c b b', 'x']);
    it.change({ todo: [...rows('a', 'b', 'c'), ['7', 'b']] });
    assert.deepEqual(it.seen, ['a b c b b', 'x']);
    assert.deepEqual(it.arrived, [['pending-1', it.number('7')]]);
    await settled();
    await it.answer({ version: version(2), id: '7' });
    assert.deepEqual([it.seen, it.list.pendingCount], [['a b c b b', 'x'], 1]);
});

test('a version of another history counts as reached with the next message', async () => {
    for (const restarts of [true, false]) {
        const it = board();
        it.list.perform({ edit: 'rename', id: 'a', text: 'A' });
        await settled();
        await it.answer({ version: version(9, '00000000000000bb'), id: 'a' });
        assert.deepEqual([it.seen, it.list.pendingCount], [['A b c', 'x'], 1]);
        if (restarts) it.restart('00000000000000bb');
        // Versions of the response's history can be compared.
        assert.deepEqual([it.seen[0], it.list.pendingCount], ['A b c', 1]);
        it.change({});
        assert.equal(it.list.pendingCount, restarts ? 1 : 0);
        for (let turn = 0; turn < 7; turn++) it.change({});
        assert.deepEqual([it.seen, it.list.pendingCount], [['a b c', 'x'], 0]);
    }
});

test('an added row keeps its element and the focus when it receives its number', async () => {
    const it = board();
    const page = new Page();
    const view = new ListView(it.list, page.container, { animate: null });
    const row = (at) => page.container.children[0].children[1].children[at];
    it.list.perform({ edit: 'add', section: 'todo', text: 'd', before: null });
    view.update();
    const added = row(3);
    added.focus();
    await settled();
    it.list.perform({ edit: 'add', section: 'todo', text: 'e', before: null });
    const adopt = (old, n) => view.adopt(old, n);
    it.arrived.push = ([old, n]) => adopt(old, n);
    await it.answer({ version: version(2), id: '7' });
    it.change({ todo: [...rows('a', 'b', 'c'), ['7', 'd']] });
    view.update();
    assert.equal(row(3), added);
    assert.equal(added.dataset.n, it.number('7'));
    assert.equal(page.activeElement, added);
    assert.equal(view.divergence(), null);
});
