import assert from 'node:assert/strict';
import { test } from 'node:test';
import { events, follow } from '../../Sources/BrowserScripts/Scripts/follow.js';

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

test('events are parsed from chunks of any size', async () => {
    const text =
        '\ufeffid: a.1\ndata: {"ä":\ndata:"€𝄞"}\n\n: nothing\n\nretry: 5\r\nid:a.2\r\ndata:  x\r\n\r\n' +
        'id: a\0b\nevent: e\ndata: not a message\n\nevent: message\ndata\n\ndata: no end\n';
    const expected = [
        { id: 'a.1', type: 'message', data: '{"ä":\n"€𝄞"}' },
        { id: 'a.2', type: 'message', data: ' x' },
        { id: 'a.2', type: 'e', data: 'not a message' },
        { id: 'a.2', type: 'message', data: '' },
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
        { id: '', type: 'message', data: '1' },
        { id: '', type: 'message', data: '2' },
    ]);
});

/**
 * Follows a server with prepared responses; returns the requests, messages and states until it is
 * stopped.
 */
async function following(answers, onMessage = () => {}, options = {}) {
    const stop = new AbortController();
    const found = { requested: [], pauses: [], states: [], messages: [], events: [], addresses: [] };
    found.reasons = [];
    await follow(
        () => `/list?${found.requested.length}`,
        (message, id) => {
            found.messages.push([message, id]);
            onMessage(message);
        },
        (state, reason, milliseconds) => {
            found.states.push(state);
            found.notified = milliseconds;
            if (state === 'waiting') found.reasons.push(reason.message);
            else assert.deepEqual([reason, milliseconds], [null, 0]);
        },
        {
            onEvent: (...event) => found.events.push(event),
            signal: stop.signal,
            version: 'a.0',
            ...options,
            delay: 100,
            longest: 300,
            fetch: async (url, { headers }) => {
                found.addresses.push(url);
                found.requested.push(headers['Last-Event-ID']);
                const answer = answers.shift();
                if (!answer) stop.abort();
                if (!answer || answer instanceof Error) throw answer ?? new Error('aborted');
                return answer;
            },
            pause: async (milliseconds) => {
                assert.equal(found.notified, milliseconds);
                found.pauses.push(milliseconds);
            },
        },
    );
    return found;
}
const answer = (text) => ({ status: 200, ok: true, body: stream(bytes(text)) });

test('a reconnecting reader sends the id of the last applied message', async () => {
    const found = await following([
        answer('id: a.1\ndata: 1\n\nid: a.2\ndata: 2\n\nid: a.3\ndata: 3\n'),
        answer('data: 3\n\n'),
        { status: 500, ok: false },
    ]);
    assert.deepEqual(found.requested, ['a.0', 'a.2', 'a.2', 'a.2']);
    assert.deepEqual(found.messages, [[1, 'a.1'], [2, 'a.2'], [3, '']]);
    const [open, failed] = [['connecting', 'open', 'waiting'], ['connecting', 'waiting']];
    assert.deepEqual(found.states, [...open, ...open, ...failed, 'connecting', 'stopped']);
    const ended = 'the server has ended the connection';
    assert.deepEqual(found.reasons, [ended, ended, 'the server returned status 500']);
});

test('the delay grows with each consecutive failure, up to a limit', async () => {
    const failures = Array.from({ length: 5 }, () => new Error('no network'));
    const { pauses } = await following([...failures, answer('data: 1\n\n'), new Error('again')]);
    const most = [100, 200, 300, 300, 300, 100, 200];
    assert.equal(pauses.length, most.length);
    pauses.forEach((pause, at) => assert.ok(pause >= most[at] / 2 && pause <= most[at], `${at}`));
});

test('events of other types are passed on unchanged, and do not set the id to resume from', async () => {
    const text = 'event: connection\ndata: {"connection":"c0"}\nid: a.9\n\nid: a.1\ndata: 1\n\n';
    const found = await following([answer(text)]);
    assert.deepEqual(found.events, [['connection', '{"connection":"c0"}']]);
    assert.deepEqual(found.messages, [[1, 'a.1']]);
    assert.deepEqual(found.requested, ['a.0', 'a.1']);
    const unfinished = await following([answer('event: connection\ndata: x\nid: a.9\n\n')]);
    assert.deepEqual(unfinished.requested, ['a.0', 'a.0']);
});

test('the address may differ for each connection', async () => {
    const { addresses } = await following([answer('data: 1\n\n'), answer('data: 2\n\n')]);
    assert.deepEqual(addresses, ['/list?0', '/list?1', '/list?2']);
});

test('a reader that does not resume joins without a version', async () => {
    let resumes = true;
    const note = (message) => (resumes = message !== 2);
    const answers = [1, 2, 3].map((data) => answer(`id: a.${data}\ndata: ${data}\n\n`));
    const found = await following(answers, note, { resumes: () => resumes });
    assert.deepEqual(found.requested, ['a.0', 'a.1', undefined, 'a.3']);
});

test('after a message that cannot be applied, the reader joins without a version', async () => {
    const refuse = (message) => {
        if (message === 2) throw new Error('gap');
    };
    const found = await following([answer('id: a.1\ndata: 1\n\nid: a.5\ndata: 2\n\n')], refuse);
    assert.deepEqual(found.requested, ['a.0', undefined]);
    const noJSON = await following([answer('id: a.1\ndata: {\n\n')]);
    assert.deepEqual(noJSON.requested, ['a.0', undefined]);
});

test('a server can stop a reader with status 204', async () => {
    const found = await following([{ status: 204, ok: true }, answer('data: 1\n\n')]);
    assert.deepEqual(found.states, ['connecting', 'stopped']);
});

test('a reader that is stopped while waiting ends immediately', async () => {
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

test('a silent connection counts as lost', async () => {
    let isCancelled = false;
    const silent = new ReadableStream({
        start(controller) {
            controller.enqueue(bytes('id: a.1\ndata: {}\n\n'));
        },
        cancel() {
            isCancelled = true;
        },
    });
    const found = [];
    const reading = (async () => {
        for await (const event of events(silent, 20)) found.push(event.id);
    })();
    await assert.rejects(reading, /nothing was received for 20 ms/);
    assert.deepEqual([found, isCancelled], [['a.1'], true]);
});

test('the delay grows while the hub is closed', async () => {
    const closed = 'id: a.1\ndata: {"closed":{"version":"0000000000000001.1"}}\n\n';
    const { messages, pauses } = await following([answer(closed), answer(closed), answer(closed)]);
    assert.equal(messages.length, 3);
    const most = [100, 200, 300];
    pauses.forEach((pause, at) => assert.ok(pause >= most[at] / 2 && pause <= most[at], `${at}`));
});
