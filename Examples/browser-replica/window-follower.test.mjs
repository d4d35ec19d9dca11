import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resetMessage, updateMessage, windowOf } from './model.mjs';
import { Page } from './page.mjs';
import { RandomList } from './random-list.mjs';
import { ListView, Replica, WindowFollower } from '../../Sources/BrowserScripts/Scripts/replica.js';

const version = (number) => `00000000000000aa.${number}`;

/** A reader that scrolls through a long list. The test decides when the server responds. */
class Journey {
    list = new RandomList(1, { sections: 20, items: 50, payload: (n) => `<b>${n}` });
    replica = new Replica();
    page = new Page();
    requested = [];
    #listeners = new Map();
    #number = 1;
    #answers = [];

    constructor(options = {}) {
        this.window = windowOf(this.list.sections, 0, 30);
        this.replica.apply(resetMessage(version(1), this.window));
        this.view = new ListView(this.replica, this.page.container, { animate: null });
        const scroller = {
            addEventListener: (type, listener) => this.#listeners.set(type, listener),
            removeEventListener: (type) => this.#listeners.delete(type),
        };
        const onWindow = (window) => {
            this.requested.push(window);
            return new Promise((resolve, reject) => this.#answers.push({ resolve, reject }));
        };
        const fast = { scroller, least: 1, nextFrame: (done) => done(), patience: 5, ...options };
        this.follower = new WindowFollower(this.view, this.replica, onWindow, fast);
        this.follower.check();
    }

    get isListening() {
        return this.#listeners.size > 0;
    }

    scrollTo(row) {
        this.page.scrollingElement.scrollTop = 10 * row;
        this.#listeners.get('scroll')?.();
    }

    /** Responds to the oldest request. */
    async answer() {
        this.#answers.shift().resolve();
        await Promise.resolve();
    }

    async refuse() {
        this.#answers.shift().reject(new Error('no network'));
        await Promise.resolve();
    }

    /** Sends the window that was requested last. */
    send() {
        const { row, rows, anchor, before, after } = this.requested.at(-1);
        const [first, end] = row === undefined ? [anchor - before, anchor + after] : [row, row + rows];
        this.show(first, end);
    }

    show(first, end) {
        const next = windowOf(this.list.sections, first, end);
        const [from, to] = [version(this.#number), version(++this.#number)];
        this.replica.apply(updateMessage(from, to, this.window, next));
        this.window = next;
        this.view.update();
        this.follower.check();
    }

    isIdle() {
        return this.#answers.length === 0;
    }

    get seesAll() {
        const { space, visibleRows } = this.view;
        return space.first <= visibleRows.first && space.end >= visibleRows.end;
    }
}
const soon = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('a window that is large enough is not replaced', () => {
    const journey = new Journey();
    journey.scrollTo(9);
    assert.deepEqual(journey.requested, []);
});

test('another window is requested before the end is visible, and follows the visible rows', async () => {
    const journey = new Journey();
    journey.scrollTo(15);
    assert.ok(journey.seesAll);
    assert.deepEqual(journey.requested, [{ row: 0, rows: 45 }]);
    await journey.answer();
    journey.send();
    journey.scrollTo(40);
    const expected = { anchor: 40, version: version(2), before: 20, after: 30 };
    assert.deepEqual(journey.requested[1], expected);
    assert.deepEqual(journey.follower.window, expected);
});

test('only one request is pending, and the next is for the current position', async () => {
    const journey = new Journey();
    for (const row of [200, 400, 600]) journey.scrollTo(row);
    assert.equal(journey.requested.length, 1);
    await journey.answer();
    journey.scrollTo(620);
    // A message about other changes does not end the request.
    journey.show(0, 30);
    assert.equal(journey.requested.length, 1);
    journey.send();
    assert.deepEqual(journey.requested.map(({ anchor }) => anchor), [200, 620]);
    // The window may arrive before the response.
    journey.send();
    assert.ok(journey.seesAll);
    await journey.answer();
    assert.equal(journey.requested.length, 2);
    journey.scrollTo(100);
    assert.equal(journey.requested.length, 3);
});

test('a request that fails or brings no rows is repeated', async () => {
    const journey = new Journey();
    journey.scrollTo(300);
    await journey.refuse();
    assert.equal(journey.requested.length, 1);
    await soon(30);
    assert.equal(journey.requested.length, 2);
    await journey.answer();
    await soon(30);
    assert.equal(journey.requested.length, 3);
    // After a reset, the request of the old connection is not awaited.
    journey.follower.reset();
    journey.follower.check();
    assert.equal(journey.requested.length, 4);
    journey.follower.stop();
    assert.ok(!journey.isListening);
    journey.follower.check();
    assert.equal(journey.requested.length, 4);
});

test('scrolling through a whole list and back shows every row at its place', async () => {
    const journey = new Journey();
    const total = journey.view.space.total;
    const places = Array.from({ length: 150 }, (_, at) => 7 * at).filter((row) => row < total - 10);
    for (const row of [...places, ...places.reverse()]) {
        journey.scrollTo(row);
        for (const requested = journey.requested.length; !journey.seesAll; ) {
            await journey.answer();
            journey.send();
            assert.ok(journey.requested.length <= requested + 1);
        }
        const { first, end } = journey.view.visibleRows;
        assert.deepEqual([first, end], [row, row + 10]);
        while (journey.requested.length && !journey.isIdle()) {
            await journey.answer();
            journey.send();
        }
    }
});

test('a whole list has no window', () => {
    const journey = new Journey();
    journey.replica.apply(resetMessage(version(9), { sections: journey.list.sections }));
    journey.view.update();
    journey.scrollTo(500);
    assert.deepEqual(journey.requested, []);
    assert.equal(journey.follower.window, null);
});
