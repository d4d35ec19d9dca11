import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atRow, part, resetMessage, rowOf, updateMessage, windowOf } from './model.mjs';
import { RandomList } from './random-list.mjs';
import { Replica } from '../../Sources/BrowserScripts/Scripts/replica.js';
import { written } from './vectors.mjs';

const version = (number) => `00000000000000aa.${number}`;

test('a replica follows a list through any states, as a whole and by windows', () => {
    for (let seed = 1; seed <= 60; seed++) {
        const list = new RandomList(seed);
        const [whole, windowed] = [new Replica(), new Replica()];
        let [shown, at] = [windowOf(list.sections, 0, 5), { sections: list.sections }];
        whole.apply(resetMessage(version(1), at));
        windowed.apply(resetMessage(version(1), shown));
        for (let number = 2; number < 20; number++) {
            const [from, to] = [version(number - 1), version(number)];
            list.change();
            const next = { sections: list.sections };
            whole.apply(updateMessage(from, to, at, next));
            at = next;
            const first = list.below(12);
            const window = windowOf(list.sections, first, first + list.below(12));
            windowed.apply(updateMessage(from, to, shown, window));
            shown = window;
            assert.deepEqual(written(whole.sections), written(list.sections), `seed ${seed}`);
            assert.deepEqual(written(windowed.sections), written(window.sections), `seed ${seed}`);
            assert.deepEqual(windowed.place, window.place);
            assert.equal(whole.place, null);
        }
    }
});

test('a window has the requested rows', () => {
    const items = [1, 2, 3].map((n) => part(n, null));
    const list = [part(1, 'a', items.slice(0, 2)), part(2, 'b', []), part(3, 'c', items.slice(2))];
    const names = ['a', 1, 2, 'b', 'c', 3];
    const rows = (sections) => sections.flatMap(({ p, items }) => [p, ...items.map(({ n }) => n)]);
    for (let first = 0; first <= 6; first++) {
        for (let end = first + 1; end <= 7; end++) {
            const { sections, place } = windowOf(list, first, end);
            const found = rows(sections);
            // The first header is included, even if only items of its section were requested.
            const header = place.item > 0 || first === 1 || first === 5;
            if (header) assert.equal(typeof found.shift(), 'string');
            assert.deepEqual(found, names.slice(first, end), `rows ${first} to ${end}`);
        }
    }
    for (const row of names.keys()) {
        const { n, isSection } = atRow(list, row);
        assert.equal(rowOf(list, n, isSection), row);
    }
    assert.equal(atRow(list, 6), null);
});
