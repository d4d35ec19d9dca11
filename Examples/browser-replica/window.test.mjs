import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resetMessage, updateMessage, windowOf } from './model.mjs';
import { Page } from './page.mjs';
import { RandomList } from './random-list.mjs';
import { ListView, Replica } from '../../Sources/BrowserScripts/Scripts/replica.js';
import { WindowSpace, readPlace } from '../../Sources/BrowserScripts/Scripts/window.js';

const version = (number) => `00000000000000aa.${number}`;
const place = { sections: 3, items: 9, section: 1, item: 1, before: 3 };

/**
 * Applies a message; returns the code of the error, or null. After an error, nothing must have changed.
 */
const refusal = (replica, message) => {
    const { version, sections, place } = replica;
    try {
        replica.apply(message);
        return null;
    } catch ({ code }) {
        assert.deepEqual([replica.version, replica.sections, replica.place], [version, sections, place]);
        return code;
    }
};

test('a place has five whole numbers from 0', () => {
    assert.deepEqual(readPlace(place), place);
    assert.deepEqual(readPlace({ ...place, more: 1 }), place);
    for (const value of [null, 1, [], {}, 'x']) assert.equal(readPlace(value), null);
    for (const name of Object.keys(place)) {
        const { [name]: _, ...rest } = place;
        assert.equal(readPlace(rest), null, `without ${name}`);
        for (const value of [-1, 0.5, 2 ** 53, '1', null, NaN]) {
            assert.equal(readPlace({ ...place, [name]: value }), null, `${name} ${value}`);
        }
    }
});

test('a window outside its list is rejected', () => {
    const list = new RandomList(1).sections;
    const { reset } = resetMessage(version(1), windowOf(list, 2, 8));
    const replica = new Replica();
    const at = (place) => ({ reset: { ...reset, place: { ...reset.place, ...place } } });
    assert.equal(refusal(replica, at({ item: -1 })), 'unreadable');
    const { sections, items, before } = reset.place;
    for (const place of [{ items: 3 }, { sections: 1 }, { section: sections }, { before: items }]) {
        assert.equal(refusal(replica, at(place)), 'misfit', JSON.stringify(place));
    }
    assert.equal(refusal(replica, at({ item: before + 1 })), 'misfit');
    const nothing = windowOf(list, 99, 100);
    const { reset: empty } = resetMessage(version(1), nothing);
    const inside = { ...nothing.place, item: 1 };
    assert.equal(refusal(replica, { reset: { ...empty, place: inside } }), 'misfit');
    assert.equal(refusal(replica, { reset: empty }), null);
    assert.equal(refusal(replica, { reset }), null);
    assert.deepEqual(replica.place, reset.place);
});

test('an update may change only the window, and cannot turn a list into a window', () => {
    const list = new RandomList(1).sections;
    const [whole, window, next] = [{ sections: list }, windowOf(list, 2, 8), windowOf(list, 5, 12)];
    const replica = new Replica();
    replica.apply(resetMessage(version(1), window));
    const { update } = updateMessage(version(1), version(1), window, next);
    assert.equal(refusal(replica, { update: { ...update, place: undefined } }), 'misfit');
    const later = { ...update, to: version(2) };
    assert.equal(refusal(replica, { update: { ...later, place: undefined } }), 'misfit');
    assert.equal(refusal(replica, { update: { ...update, to: version(0) } }), 'double');
    const [other, none] = ['00000000000000bb.1', undefined];
    assert.equal(refusal(replica, { update: { ...update, to: other } }), 'otherHistory');
    assert.equal(refusal(replica, { update: { ...update, to: other, place: none } }), 'misfit');
    assert.equal(refusal(replica, { update }), null);
    assert.deepEqual([replica.version, replica.place], [version(1), next.place]);
    replica.apply(resetMessage(version(2), whole));
    assert.equal(replica.place, null);
    const turn = { from: version(2), to: version(3) };
    assert.equal(refusal(replica, { update: { ...turn, place: next.place } }), 'misfit');
    assert.equal(refusal(replica, { update: turn }), null);
});

test('each row has its position, in the window and around it', () => {
    const list = new RandomList(3, { sections: 5, items: 6 });
    const heights = { header: 10, row: 10 };
    for (let turn = 0; turn < 300; turn++) {
        list.change();
        const first = list.below(50);
        const { sections, place } = windowOf(list.sections, first, first + list.below(20));
        const space = new WindowSpace(place, sections, heights);
        const total = list.sections.reduce((sum, { items }) => sum + 1 + items.length, 0);
        assert.equal(space.total, total);
        const shown = sections.reduce((sum, { items }) => sum + 1 + items.length, 0);
        assert.equal(space.above + space.inside + space.below + 10 * shown, 10 * total);
        assert.equal(space.end - space.first, shown - (place.item ? 1 : 0));
        for (let row = 0; row < total; row++) assert.equal(space.rowAt(row * 10 + 5), row);
        assert.equal(space.rowAt(-1), 0);
        assert.equal(space.rowAt(10 * total + 100), Math.max(0, total - 1));
    }
});

test('a list that is too long for a page is compressed, but not in its window', () => {
    const place = { sections: 1, items: 4_000_000, section: 0, item: 1_000_000, before: 1_000_000 };
    const sections = [{ n: 1, items: Array.from({ length: 100 }, (_, at) => ({ n: at + 1 })) }];
    const space = new WindowSpace(place, sections, { header: 20, row: 20 });
    assert.ok(space.inside + space.below < 10_000_000);
    assert.equal(space.rowAt(20 + space.inside + 20 * 7), 1_000_001 + 7);
    assert.equal(space.rowAt(20 + space.inside / 2), 500_001);
    assert.equal(space.rowAt(20 + space.inside + 2000 + space.below / 2), 2_500_051);
});

/** A window of a list with random changes, on a page. The scroller shows ten rows. */
class WindowScene {
    replica = new Replica();
    list;
    #number = 1;

    constructor(seed, first, end) {
        const payload = (n) => `<b>${n}`;
        this.list = new RandomList(seed, { sections: 6, items: 20, payload });
        this.page = new Page();
        this.window = windowOf(this.list.sections, first, end);
        this.replica.apply(resetMessage(version(1), this.window));
        this.view = new ListView(this.replica, this.page.container, { animate: null, anchors: true });
    }

    show(first, end) {
        const window = windowOf(this.list.sections, first, end);
        const [from, to] = [version(this.#number), version(++this.#number)];
        this.replica.apply(updateMessage(from, to, this.window, window));
        this.window = window;
        this.view.update();
        assert.equal(this.view.divergence(), null);
    }

    /** Returns the distance of a row from the top of the screen; undefined if it is not shown. */
    top(n) {
        const lists = this.page.container.children.map((group) => group.children[1]);
        const row = lists.flatMap((list) => list.children).find((row) => row.dataset.n === n);
        return row?.getBoundingClientRect().top;
    }
}

test('a window is shown at its position in the whole list', () => {
    for (let seed = 1; seed < 40; seed++) {
        const scene = new WindowScene(seed, 0, 10);
        const scroller = scene.page.scrollingElement;
        for (let turn = 0; turn < 20; turn++) {
            scene.list.change();
            const first = scene.list.below(120);
            scene.show(first, first + scene.list.below(30));
            let row = 0;
            for (const { items } of scene.list.sections) {
                row += 1;
                for (const { n } of items) {
                    const top = scene.top(n);
                    assert.ok(top === undefined || top === 10 * row - scroller.scrollTop, `${seed}`);
                    row += 1;
                }
            }
            const height = scene.page.container.getBoundingClientRect().height;
            assert.equal(height, scene.window.sections.length ? 10 * row : height);
            scroller.scrollTop = 10 * scene.list.below(Math.max(1, row - 10));
            const { first: top, end } = scene.view.visibleRows;
            if (row >= 10) assert.deepEqual([10 * top, end], [scroller.scrollTop, top + 10], `${seed}`);
        }
    }
});

test('visible rows stay at their position when the window moves and rows above change', () => {
    const scene = new WindowScene(1, 30, 60);
    const scroller = scene.page.scrollingElement;
    scroller.scrollTop = 405;
    const { n } = scene.list.sections[1].items[20 - 1];
    const top = scene.top(n);
    assert.ok(top >= 0 && top < 100);
    scene.show(38, 80);
    assert.deepEqual([scene.top(n), scroller.scrollTop], [top, 405]);
    // Five rows far above are removed, and the window keeps its rows.
    scene.list.sections[0].items.splice(0, 5);
    scene.show(33, 75);
    assert.deepEqual([scene.top(n), scroller.scrollTop], [top, 355]);
});

test('a reader that scrolls far away stays there, and sees the window when it arrives', () => {
    const scene = new WindowScene(1, 0, 20);
    const scroller = scene.page.scrollingElement;
    scroller.scrollTop = 900;
    scene.list.sections[0].items.splice(0, 5);
    scene.show(0, 20);
    assert.equal(scroller.scrollTop, 900);
    scene.show(85, 105);
    assert.equal(scroller.scrollTop, 900);
    assert.deepEqual(scene.view.visibleRows, { first: 90, end: 100 });
});

test('a row that two windows share keeps its element and the focus', () => {
    const scene = new WindowScene(1, 10, 30);
    const rows = () =>
        new Map(
            scene.page.container.children
                .flatMap((group) => group.children[1].children)
                .map((row) => [row.dataset.n, row]),
        );
    const old = rows();
    const { n } = scene.window.sections[0].items.at(-1);
    old.get(n).children[0].focus();
    scene.show(18, 40);
    const shared = [...rows()].filter(([n]) => old.has(n));
    assert.ok(shared.length > 5);
    for (const [n, row] of shared) assert.equal(row, old.get(n));
    assert.equal(scene.page.activeElement, old.get(n).children[0]);
});

test('a whole list after a window has no space around it', () => {
    const scene = new WindowScene(1, 10, 30);
    assert.ok(scene.page.container.style.paddingBottom);
    scene.replica.apply(resetMessage('00000000000000bb.1', { sections: scene.list.sections }));
    scene.view.update();
    const { paddingTop, paddingBottom, overflowAnchor } = scene.page.container.style;
    for (const value of [paddingTop, paddingBottom, overflowAnchor]) assert.ok(!value);
    assert.equal(scene.view.space, null);
    assert.equal(scene.view.visibleRows, null);
});
