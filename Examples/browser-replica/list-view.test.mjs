import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Page } from './page.mjs';
import { ListView, Replica } from '../../Sources/BrowserScripts/Scripts/replica.js';
import { vectors, written } from './vectors.mjs';

/** A replica of rows, shown on a page. `set` changes the rows by an update without a digest. */
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

    /** Returns the element of a row. */
    row(n) {
        const lists = this.page.container.children.map((group) => group.children[1]);
        return lists.flatMap((list) => list.children).find((row) => row.dataset.n === n);
    }
}

/** Returns the contents of a page, in the form of a reset. */
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

/** Returns sections without empty payloads, which a page shows like missing ones. */
const visible = (state) =>
    state.map(({ items, ...section }) => ({
        ...section,
        ...(items && { items: items.map(([n, p]) => (p ? [n, p] : [n])) }),
    }));

test('the page shows the state of the replica, and rows keep their elements', () => {
    for (const { name, messages, states, errors } of vectors) {
        if (errors.some((code) => code)) continue;
        const page = new Page();
        const replica = new Replica();
        const view = new ListView(replica, page.container, { animate: null });
        let rows = new Map();
        messages.forEach((message, at) => {
            replica.apply(message);
            view.update();
            assert.deepEqual(shown(page), visible(states[at]), `${name}, message ${at}`);
            assert.equal(view.divergence(), null);
            // A row that returns to the window has a new element.
            const lists = page.container.children.map(({ children }) => children[1]);
            const next = new Map(lists.flatMap(({ children }) => children.map((row) => [row.dataset.n, row])));
            for (const [n, row] of next) {
                assert.ok((rows.get(n) ?? row) === row, `${name}, message ${at}, row ${n}`);
            }
            rows = next;
        });
    }
});

test('one update of the view can show several messages', () => {
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

test('only moved elements are inserted again', () => {
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

test('the focus stays on an element whose row moves', () => {
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

test('the focus returns to the same place in a row that is filled again', () => {
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

test('visible rows stay at their position', () => {
    const scene = new Scene([[1, 2, 3, 4, 5]]);
    scene.page.scrollingElement.scrollTop = 25;
    const top = (n) => scene.row(n).getBoundingClientRect().top;
    // Row 3 is the first visible row.
    assert.equal(top(3), -5);
    scene.edit({ insertItems: [[0, 0, 6, '<b>6'], [0, 1, 7, '<b>7']] });
    assert.equal(top(3), -5);
    // Row 3 is removed: the next row stays at its position.
    scene.edit({ removeItems: [[0, 4], [0, 2]] });
    assert.equal(top(4), 5);
    // That row moves away: the next row that does not move stays at its position.
    assert.equal(top(2), -5);
    scene.edit({ removeItems: [[0, 2]], insertItems: [[0, 0, [0, 2]]] });
    assert.equal(top(4), 5);
});

test('new rows at the beginning are visible, and scroll anchoring is left to the browser', () => {
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

test('in another history, elements with the same name keep their rows', () => {
    const scene = new Scene([[1, 2, 3], [4]]);
    const old = new Map([1, 2, 3, 4].map((n) => [n, scene.row(n)]));
    old.get(2).children[0].focus();
    const replica = new Replica();
    const sections = [
        { n: 3, p: 'x', items: [[1, '<b>4'], [2, '<b>5']] },
        { n: 2, p: 'y', items: [[4, '<b>2'], [3, '<b>1'], [9, '<b>1']] },
    ];
    const version = '00000000000000bb.1';
    const update = { from: '00000000000000bb.0', to: version };
    replica.apply({ reset: { version: update.from, reason: 'joined', digest: new Replica().digest } });
    update.insertSections = sections.map((section, at) => ({ at, ...section }));
    replica.apply({ update });
    Object.assign(scene.replica, { sections: replica.sections });
    scene.view.renumber((payload) => payload);
    scene.view.update();
    assert.deepEqual(shown(scene.page), sections);
    assert.equal(scene.view.divergence(), null);
    assert.equal(scene.row(1), old.get(4));
    assert.equal(scene.row(4), old.get(2));
    // If a name occurs twice, one of the two rows is kept.
    assert.ok([scene.row(3), scene.row(9)].includes(old.get(1)));
    assert.ok(!old.get(3).isConnected);
    assert.equal(scene.page.activeElement, old.get(2).children[0]);
});

test('moved elements are animated from their old position', () => {
    const scene = new Scene([[1, 2, 3], [4]]);
    scene.edit({ removeItems: [[0, 0]], insertItems: [[1, 1, [0, 0]], [1, 2, 9, '<b>9']] });
    assert.deepEqual(scene.moves, [[1, 0, -30]]);
});

test('nothing is animated if the user prefers reduced motion', () => {
    globalThis.matchMedia = () => ({ matches: true });
    const scene = new Scene([[1, 2, 3]]);
    delete globalThis.matchMedia;
    scene.edit({ removeItems: [[0, 0]], insertItems: [[0, 2, [0, 0]]] });
    assert.deepEqual(scene.moves, []);
});

test('divergence() finds the place where other code has changed the page', () => {
    const scene = new Scene([[1, 2], [3]]);
    scene.row(3).remove();
    assert.equal(scene.view.divergence(), 'section 2');
    scene.page.container.children[0].remove();
    assert.equal(scene.view.divergence(), 'sections');
});

test('a duplicate number, which the digest would reveal, breaks nothing', () => {
    const scene = new Scene([[1, 2], [3]]);
    const update = (from, edits) => {
        const [a, b] = [`00000000000000aa.${from}`, `00000000000000aa.${from + 1}`];
        scene.replica.apply({ update: { from: a, to: b, ...edits } });
        scene.view.update();
    };
    update(1, { insertItems: [[0, 2, 1, 'again'], [1, 1, 3, 'too']] });
    update(2, { insertItems: [[1, 0, 1, 'there']] });
    update(3, { removeItems: [[0, 0]] });
    update(4, { removeSections: [1] });
    update(5, { removeSections: [0] });
    assert.deepEqual(shown(scene.page), []);
});
