// The element, with the parts of a page that it needs. `LIVE_LIST` names a script to test instead of
// the module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { part, resetMessage, updateMessage } from './model.mjs';
import { Element, Page } from './page.mjs';

const scripts = new URL('../../Sources/BrowserScripts/Scripts/', import.meta.url);
const address = process.env.LIVE_LIST ?? new URL('live-list.js', scripts).href;
let page;
const defined = new Map();
globalThis.HTMLElement = class extends Element {
    constructor() {
        super(page);
    }
};
globalThis.customElements = {
    get: (name) => defined.get(name),
    define: (name, type) => defined.set(name, type),
};
const exported = await import(address);

const tick = () => new Promise((resolve) => setTimeout(resolve));
const sections = (...items) => [part(1, 'header', items.map((n) => part(n, `<b>${n}`)))];
const reset = (version, sections) => [version, resetMessage(version, { sections })];
const version = (number, history = 'aa') => `${history.padStart(16, '0')}.${number}`;

/** A server with one list, and a page with the element. */
class Scene {
    requests = [];
    updates = [];

    constructor() {
        page = new Page();
        globalThis.fetch = async (url, { headers, signal }) => {
            const stream = new TransformStream();
            const writer = stream.writable.getWriter();
            signal.addEventListener('abort', () => writer.abort(signal.reason));
            this.requests.push({ url, from: headers['Last-Event-ID'] ?? null, signal, writer });
            if (this.refusal) return this.refusal;
            return { status: 200, ok: true, body: stream.readable };
        };
        this.list = new exported.LiveList();
        this.list.append(page.createElement());
        this.list.addEventListener('update', () => {
            this.updates.push(this.list.replica.version);
            assert.equal(this.list.view.divergence(), null);
        });
    }

    get request() {
        return this.requests.at(-1);
    }

    get state() {
        return this.list.getAttribute('state');
    }

    /** Sets the address and calls the element as a browser does. */
    async direct(src) {
        const old = this.list.getAttribute('src');
        this.list.setAttribute('src', src);
        this.list.attributeChangedCallback('src', old, src);
        await tick();
    }

    async put() {
        page.body.append(this.list);
        this.list.connectedCallback();
        await tick();
    }

    async remove() {
        this.list.remove();
        this.list.disconnectedCallback();
        await tick();
    }

    /** Sends messages with their versions in one chunk. */
    async send(...messages) {
        const event = ([id, message]) => `id: ${id}\ndata: ${JSON.stringify(message)}\n\n`;
        this.request.writer.write(new TextEncoder().encode(messages.map(event).join('')));
        await tick();
    }

    get rows() {
        const lists = this.list.children.map((group) => group.children[1]?.children ?? []);
        return lists.flat().map(({ dataset }) => dataset.n);
    }
}

test('the script exports what a page needs, and defines the element once', async () => {
    const replica = await import(new URL('replica.js', scripts));
    assert.deepEqual(Object.keys(exported), [...Object.keys(replica), 'LiveList'].sort());
    assert.equal(defined.get('live-list'), exported.LiveList);
    await import(`${address}?again`);
    assert.equal(defined.get('live-list'), exported.LiveList);
});

test('the list is shown, and resumes when the element is put back', async () => {
    const scene = new Scene();
    const { list } = scene;
    await scene.direct('/orders');
    assert.deepEqual([scene.requests.length, scene.state], [0, null]);
    await scene.put();
    assert.deepEqual([scene.request.url, scene.request.from, scene.state], ['/orders', null, 'open']);
    assert.deepEqual([list.view, list.children.length], [null, 1]);
    const [first, second] = [sections(1, 2), sections(2, 1, 3)];
    const update = updateMessage(version(1), version(2), { sections: first }, { sections: second });
    // A message in the same chunk as the last one before the removal is not shown.
    list.addEventListener('update', () => scene.remove(), { once: true });
    await scene.send(reset(version(1), first), [version(2), update]);
    assert.deepEqual([scene.rows, scene.updates], [[1, 2], [version(1)]]);
    assert.deepEqual([scene.request.signal.aborted, scene.state], [true, 'stopped']);
    const [, row] = list.children[0].children[1].children;
    await scene.put();
    assert.deepEqual([scene.requests.length, scene.request.from], [2, version(1)]);
    await scene.send([version(2), update]);
    assert.deepEqual([scene.rows, scene.updates], [[2, 1, 3], [version(1), version(2)]]);
    assert.equal(list.children[0].children[1].children[0], row);

    // The element is removed and inserted again immediately.
    list.disconnectedCallback();
    list.connectedCallback();
    await tick();
    assert.deepEqual([scene.requests.length, scene.state], [3, 'open']);
    await scene.remove();
});

test('another address starts another list, and removing the address stops', async () => {
    const scene = new Scene();
    await scene.put();
    assert.deepEqual([scene.requests.length, scene.state], [0, null]);
    await scene.direct('/orders');
    // This is the order of calls for an element that existed before its script.
    scene.list.connectedCallback();
    await tick();
    await scene.send(reset(version(1), sections(1)));
    await scene.direct('/orders');
    assert.equal(scene.requests.length, 1);
    await scene.direct('/invoices');
    assert.deepEqual([scene.requests.length, scene.request.from, scene.rows], [2, null, [1]]);
    await scene.send(reset(version(1, 'bb'), sections(7)));
    assert.deepEqual(scene.rows, [7]);
    await scene.direct(null);
    assert.deepEqual([scene.state, scene.request.signal.aborted, scene.rows], ['stopped', true, [7]]);
});

test('the state tells why no messages arrive', async () => {
    const scene = new Scene();
    await scene.direct('/orders');
    scene.refusal = { status: 503, ok: false };
    await scene.put();
    assert.equal(scene.state, 'waiting');
    await scene.remove();
    scene.refusal = { status: 204, ok: true };
    await scene.put();
    assert.deepEqual([scene.state, scene.requests.length], ['stopped', 2]);
});
