import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { events } from './follow.js';
import { Page } from './page.mjs';
import { ListView, Replica, follow } from './replica.js';

const file = readFileSync(new URL('vectors.jsonl', import.meta.url), 'utf8');
const vectors = file.trim().split('\n').map((line) => JSON.parse(line));

/** Sections as a reset has them. */
const written = (sections) =>
    sections.map(({ n, p, items }) => ({
        n,
        ...(p !== null && { p }),
        ...(items.length && { items: items.map(({ n, p }) => (p === null ? [n] : [n, p])) }),
    }));

/** The code of the error that a message gives; null for none. */
const receive = (replica, message) => {
    try {
        replica.apply(message);
        return null;
    } catch (error) {
        return error.code ?? error;
    }
};

test('a replica has what that in Swift has', () => {
    assert.ok(vectors.length > 100);
    for (const { name, messages, states, digests, errors } of vectors) {
        const replica = new Replica();
        messages.forEach((message, at) => {
            const { version, sections } = replica;
            const code = receive(replica, message);
            assert.equal(code, errors[at], `${name}, message ${at}`);
            assert.deepEqual(written(replica.sections), states[at], `${name}, message ${at}`);
            assert.equal(replica.digest, digests[at], `${name}, message ${at}`);
            if (code === null) return;
            assert.ok(replica.version === version && replica.sections === sections, name);
        });
    }
});

test('what is no message is unreadable', () => {
    const marks = ['closed', 'upToDate'].map((kind) => [kind, { version: '0000000000c0ffee.1' }]);
    for (const message of [null, 1, 'x', [], {}, { reset: null }, Object.fromEntries(marks)]) {
        assert.equal(receive(new Replica(), message), 'unreadable', JSON.stringify(message));
    }
    const head = { version: '0000000000c0ffee.1', reason: '', digest: '0'.repeat(32) };
    const reset = (p) => ({ reset: { ...head, sections: [{ n: 1, p }] } });
    assert.equal(receive(new Replica(), reset('\ud800')), 'unreadable');
    assert.equal(receive(new Replica(), reset('\ud83d\ude00')), 'otherDigest');
});

test('who is given everything after the end is not at the end', () => {
    const [reset, , , , mark, closed] = vectors[0].messages;
    const replica = new Replica();
    for (const message of vectors[0].messages) replica.apply(message);
    assert.ok(mark.upToDate && closed.closed && replica.isClosed);
    assert.equal(replica.version, '0000000000c0ffee.2');
    replica.apply(reset);
    assert.ok(!replica.isClosed);
});

// The list

/** A replica of rows, shown on a page; `set` gives it others, by an update without a digest. */
class Scene {
    replica = new Replica();
    moves = [];
    #number = 1;

    constructor(sections, { motion = true, anchors = false, ...page } = {}) {
        this.page = new Page(page);
        const update = { from: this.#version(0), to: this.#version(1), insertSections: [] };
        const digest = this.replica.digest;
        this.replica.apply({ reset: { version: this.#version(0), reason: 'joined', digest } });
        sections.forEach((items, at) => {
            const section = { at, n: at + 1, items: items.map((n) => [n, `<b>${n}`]) };
            update.insertSections.push(section);
        });
        this.replica.apply({ update });
        const animate = (element, dx, dy) => this.moves.push([element.dataset.n, dx, dy]);
        const options = { animate: motion ? animate : null, anchors };
        this.view = new ListView(this.replica, this.page.container, options);
    }

    #version(number) {
        return `00000000000000aa.${number}`;
    }

    edit(edits) {
        const [from, to] = [this.#version(this.#number), this.#version(++this.#number)];
        this.replica.apply({ update: { from, to, ...edits } });
        this.page.placed = 0;
        this.view.update();
        assert.deepEqual(shown(this.page), written(this.replica.sections));
        assert.equal(this.view.divergence(), null);
    }

    /** The element of a row. */
    row(n) {
        const lists = this.page.container.children.map((group) => group.children[1]);
        return lists.flatMap((list) => list.children).find((row) => row.dataset.n === n);
    }
}

/** What is on a page, as a reset has it. */
const shown = (page) =>
    page.container.children.map(({ dataset, attributes, children: [header, list] }) => {
        const roles = [attributes, header.attributes, list.attributes].map(({ role }) => role);
        assert.deepEqual(roles, ['group', 'heading', 'list']);
        const items = list.children.map((row) => {
            assert.equal(row.attributes.role, 'listitem');
            return row.innerHTML === '' ? [row.dataset.n] : [row.dataset.n, row.innerHTML];
        });
        return {
            n: dataset.n,
            ...(!header.hidden && { p: header.innerHTML }),
            ...(items.length && { items }),
        };
    });

/** On a page an empty payload is as none. */
const visible = (state) =>
    state.map(({ items, ...section }) => ({
        ...section,
        ...(items && { items: items.map(([n, p]) => (p ? [n, p] : [n])) }),
    }));

test('the page has what the replica has, and rows are kept', () => {
    for (const { name, messages, states, errors } of vectors) {
        if (errors.some((code) => code)) continue;
        const page = new Page();
        const replica = new Replica();
        const view = new ListView(replica, page.container, { animate: null });
        const rows = new Map();
        messages.forEach((message, at) => {
            replica.apply(message);
            view.update();
            assert.deepEqual(shown(page), visible(states[at]), `${name}, message ${at}`);
            assert.equal(view.divergence(), null);
            for (const { children } of page.container.children) {
                for (const row of children[1].children) {
                    assert.equal(rows.get(row.dataset.n) ?? row, row, `${name}, message ${at}`);
                    rows.set(row.dataset.n, row);
                }
            }
        });
    }
});

test('several messages may be shown at once', () => {
    for (const { messages, states } of vectors.filter(({ name }) => name.startsWith('random'))) {
        const page = new Page();
        const replica = new Replica();
        replica.apply(messages[0]);
        const view = new ListView(replica, page.container);
        for (const message of messages.slice(1)) replica.apply(message);
        view.update();
        assert.deepEqual(shown(page), visible(states.at(-1)));
    }
});

test('only what moves is put elsewhere', () => {
    const scene = new Scene([[1, 2, 3, 4, 5], [6]]);
    scene.edit({ removeItems: [[0, 0]], insertItems: [[0, 4, [0, 0]]] });
    assert.equal(scene.page.placed, 1);
    scene.edit({ removeItems: [[0, 4]], insertItems: [[1, 0, [0, 4]]] });
    assert.equal(scene.page.placed, 1);
    scene.edit({ removeSections: [1], insertSections: [{ at: 0, from: 1 }] });
    assert.equal(scene.page.placed, 1);
    scene.edit({ changeSections: [[0, 'header']] });
    assert.equal(scene.page.placed, 0);
});

test('what has the focus keeps it where its row moves', () => {
    for (const movesBefore of [true, false]) {
        const scene = new Scene([[1, 2, 3], []], { movesBefore });
        const inside = scene.row(1).children[0];
        Object.assign(inside, { selectionStart: 2, selectionEnd: 4 });
        inside.focus();
        scene.edit({ removeItems: [[0, 0]], insertItems: [[1, 0, [0, 0]]] });
        assert.equal(scene.page.activeElement, inside);
        assert.deepEqual(inside.selection, movesBefore ? undefined : [2, 4]);
    }
});

test('what has the focus is found again where its row shows something else', () => {
    const scene = new Scene([[1]]);
    const inside = scene.row(1).children[0];
    inside.focus();
    scene.edit({ changeItems: [[0, 0, '<b>other']] });
    assert.notEqual(scene.row(1).children[0], inside);
    assert.equal(scene.page.activeElement, scene.row(1).children[0]);
    scene.edit({ changeItems: [[0, 0, 'text']] });
    assert.equal(scene.page.activeElement, scene.page.body);
    scene.row(1).focus();
    scene.edit({ removeItems: [[0, 0]] });
    assert.equal(scene.page.activeElement, scene.page.body);
});

test('what is read stays where it is', () => {
    const scene = new Scene([[1, 2, 3, 4, 5]]);
    scene.page.scrollingElement.scrollTop = 25;
    const top = (n) => scene.row(n).getBoundingClientRect().top;
    // Row 3 is the first that can be seen.
    assert.equal(top(3), -5);
    scene.edit({ insertItems: [[0, 0, 6, '<b>6'], [0, 1, 7, '<b>7']] });
    assert.equal(top(3), -5);
    // It goes: the next one stays.
    scene.edit({ removeItems: [[0, 4], [0, 2]] });
    assert.equal(top(4), 5);
    // It moves: what stays is read.
    assert.equal(top(2), -5);
    scene.edit({ removeItems: [[0, 2]], insertItems: [[0, 0, [0, 2]]] });
    assert.equal(top(4), 5);
});

test('at the beginning what comes is seen, and browsers that keep the place do so', () => {
    const top = (scene) => scene.row(1).getBoundingClientRect().top;
    const edit = { insertItems: [[0, 0, 6, '<b>6']] };
    const beginning = new Scene([[1, 2, 3]]);
    beginning.edit(edit);
    assert.equal(top(beginning), 10);
    const anchored = new Scene([[1, 2, 3]], { anchors: true });
    anchored.page.scrollingElement.scrollTop = 5;
    anchored.edit(edit);
    assert.equal(top(anchored), 5);
});

test('what moves is animated from where it was', () => {
    const scene = new Scene([[1, 2, 3], [4]]);
    scene.edit({ removeItems: [[0, 0]], insertItems: [[1, 1, [0, 0]], [1, 2, 9, '<b>9']] });
    assert.deepEqual(scene.moves, [[1, 0, -30]]);
});

test('nothing is animated for who wants less motion', () => {
    globalThis.matchMedia = () => ({ matches: true });
    const scene = new Scene([[1, 2, 3]]);
    delete globalThis.matchMedia;
    scene.edit({ removeItems: [[0, 0]], insertItems: [[0, 2, [0, 0]]] });
    assert.deepEqual(scene.moves, []);
});

test('it is seen where others have changed the page', () => {
    const scene = new Scene([[1, 2], [3]]);
    scene.row(3).remove();
    assert.equal(scene.view.divergence(), 'section 2');
    scene.page.container.children[0].remove();
    assert.equal(scene.view.divergence(), 'sections');
});

// The connection

const bytes = (text) => new TextEncoder().encode(text);
const stream = (...parts) =>
    new ReadableStream({
        start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
        },
    });
const collect = async (stream) => {
    const all = [];
    for await (const event of events(stream)) all.push(event);
    return all;
};

test('events are read wherever the stream is cut', async () => {
    const text =
        '\ufeffid: a.1\ndata: {"ä":\ndata:"€𝄞"}\n\n: nothing\n\nretry: 5\r\nid:a.2\r\ndata:  x\r\n\r\n' +
        'id: a\0b\nevent: e\ndata\n\ndata: no end\n';
    const expected = [
        { id: 'a.1', data: '{"ä":\n"€𝄞"}' },
        { id: 'a.2', data: ' x' },
        { id: 'a.2', data: '' },
    ];
    const all = bytes(text);
    for (let cut = 0; cut <= all.length; cut++) {
        const found = await collect(stream(all.subarray(0, cut), all.subarray(cut)));
        assert.deepEqual(found, expected, `cut at ${cut}`);
    }
    const single = Array.from(all, (byte) => Uint8Array.of(byte));
    assert.deepEqual(await collect(stream(...single)), expected);
});

test('lines may end with CR alone', async () => {
    assert.deepEqual(await collect(stream(bytes('data: 1\r\rdata: 2\r\r\r'))), [
        { id: '', data: '1' },
        { id: '', data: '2' },
    ]);
});

/** Follows a server that answers in turn; what was asked, told and said until it is stopped. */
async function following(answers, onMessage = () => {}) {
    const stop = new AbortController();
    const found = { asked: [], pauses: [], states: [], messages: [] };
    await follow(
        '/list',
        (message, id) => {
            found.messages.push([message, id]);
            onMessage(message);
        },
        (state) => found.states.push(state),
        {
            signal: stop.signal,
            version: 'a.0',
            delay: 100,
            longest: 300,
            fetch: async (url, { headers }) => {
                found.asked.push(headers['Last-Event-ID']);
                const answer = answers.shift();
                if (!answer) stop.abort();
                if (!answer || answer instanceof Error) throw answer ?? new Error('aborted');
                return answer;
            },
            pause: async (milliseconds) => found.pauses.push(milliseconds),
        },
    );
    return found;
}
const answer = (text) => ({ status: 200, ok: true, body: stream(bytes(text)) });

test('who comes back says what was taken in last', async () => {
    const found = await following([
        answer('id: a.1\ndata: 1\n\nid: a.2\ndata: 2\n\nid: a.3\ndata: 3\n'),
        answer('data: 3\n\n'),
        { status: 500, ok: false },
    ]);
    assert.deepEqual(found.asked, ['a.0', 'a.2', 'a.2', 'a.2']);
    assert.deepEqual(found.messages, [[1, 'a.1'], [2, 'a.2'], [3, '']]);
    const [open, failed] = [['connecting', 'open', 'waiting'], ['connecting', 'waiting']];
    assert.deepEqual(found.states, [...open, ...open, ...failed, 'connecting', 'stopped']);
});

test('each failure that follows another waits longer, to a limit', async () => {
    const failures = Array.from({ length: 5 }, () => new Error('no network'));
    const { pauses } = await following([...failures, answer('data: 1\n\n'), new Error('again')]);
    const most = [100, 200, 300, 300, 300, 100, 200];
    assert.equal(pauses.length, most.length);
    pauses.forEach((pause, at) => assert.ok(pause >= most[at] / 2 && pause <= most[at], `${at}`));
});

test('what cannot be taken in leads to joining anew', async () => {
    const refuse = (message) => {
        if (message === 2) throw new Error('gap');
    };
    const found = await following([answer('id: a.1\ndata: 1\n\nid: a.5\ndata: 2\n\n')], refuse);
    assert.deepEqual(found.asked, ['a.0', undefined]);
    const noJSON = await following([answer('id: a.1\ndata: {\n\n')]);
    assert.deepEqual(noJSON.asked, ['a.0', undefined]);
});

test('a server may say that nobody shall come back', async () => {
    const found = await following([{ status: 204, ok: true }, answer('data: 1\n\n')]);
    assert.deepEqual(found.states, ['connecting', 'stopped']);
});

test('who is stopped while waiting ends at once', async () => {
    const stop = new AbortController();
    const states = [];
    const note = (state) => {
        states.push(state);
        if (state === 'waiting') queueMicrotask(() => stop.abort());
    };
    const fetch = async () => Promise.reject(new Error('no network'));
    await follow('/list', () => {}, note, { signal: stop.signal, fetch, delay: 1e9, longest: 1e9 });
    assert.deepEqual(states, ['connecting', 'waiting', 'stopped']);
});
