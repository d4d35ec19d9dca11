// A window of a long list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look } from './page-state.mjs';
import {
    assertQuiet, growFiles, isLive, opened, pause, serving, wide, withFiles,
} from './setting.mjs';

/** Runs in the page: focuses the row in the middle of the screen. */
const focusOnMiddle = () => {
    const { left, top, height } = document.querySelector('#rows').getBoundingClientRect();
    const row = document.elementFromPoint(left + 200, top + height / 2)?.closest('[role=listitem]');
    row?.focus({ preventScroll: true });
    window.focusedElement = row;
    return Boolean(row);
};

test('visible rows and the focus stay through reconnects and a restart', async (context) => {
    const { server, wire, start, address } = await serving(context, ...withFiles());
    const page = await opened(address('files'), wide);
    await page.run(() => (document.querySelector('#rows').scrollTop = 40_000));
    await pause(1000);
    await page.until(focusOnMiddle);
    const before = await page.run(look);
    assert.ok(before.focused && before.rows.length > 10);
    const assertStays = async (what) => {
        await page.until(isLive);
        await pause(500);
        const now = await page.run(look);
        assert.equal(now.focused, before.focused, what);
        const isSame = await page.run(() => document.activeElement === window.focusedElement);
        assert.ok(isSame, `${what}: the element`);
        const places = ({ rows }) => rows.map(({ id, top }) => [id, Math.round(top)]);
        assert.deepEqual(places(now), places(before), what);
    };
    const hasWaited = (turn) => window.states.filter((state) => state === 'waiting').length >= turn;
    for (const turn of [1, 2]) {
        wire.cut();
        await page.until(hasWaited, turn);
        await assertStays(`reconnect ${turn}`);
    }
    await server.stop('SIGKILL');
    await page.until(hasWaited, 3);
    await start(...withFiles());
    await assertStays('restart');
    assertQuiet(page, { hadOutage: true });
});

test('rows inserted above a window do not move the visible rows', async (context) => {
    const { address } = await serving(context, ...withFiles());
    const page = await opened(address('files'), wide);
    const countRows = () => Number(document.querySelector('#rows-count').textContent.replace(',', ''));
    await page.run(() => (document.querySelector('#rows').scrollTop = 60_000));
    await pause(1000);
    const [before, count] = [await page.run(look), await page.run(countRows)];
    const places = ({ rows }) => rows.map(({ id, top, n }) => [id, n, Math.round(top)]);
    // A distant window receives the new counts with the next heartbeat.
    for (let turn = 1; turn <= 2; turn++) {
        await growFiles(7);
        await page.until((count) => {
            const text = document.querySelector('#rows-count').textContent;
            return Number(text.replace(',', '')) === count;
        }, count + 7 * turn);
        const now = await page.run(look);
        assert.deepEqual(places(now), places(before));
        // Only the scroll bar moves.
        assert.ok(now.scrollTop > before.scrollTop);
        assert.equal(
            Math.round(now.scrollHeight - now.scrollTop),
            Math.round(before.scrollHeight - before.scrollTop),
        );
    }
    // At the top, inserted rows become visible.
    await page.run(() => (document.querySelector('#rows').scrollTop = 0));
    await pause(1000);
    const [first] = (await page.run(look)).rows;
    await growFiles(3);
    await page.until((id) => document.querySelector('[role=listitem] .row').dataset.id !== id, first.id);
    assert.equal(await page.run(() => document.querySelector('#rows').scrollTop), 0);
    assertQuiet(page);
});

test('a window follows the scroll position, and nothing jumps', async (context) => {
    const { address } = await serving(context, ...withFiles());
    const page = await opened(address('files'), wide);
    const flat = await page.run(async () => {
        const { reset } = await (await fetch('/lists/files/snapshot')).json();
        const id = (html) => /data-id="([^"]*)"/.exec(html)[1];
        return reset.sections.flatMap(({ items }) => [null, ...items.map(([, p]) => id(p))]);
    });
    assert.ok(flat.length > 4000);
    const places = new Map(flat.map((id, at) => [id, at]));
    const columnsHeight = await page.run(() => document.querySelector('#columns').offsetHeight);
    /** Checks that each visible row is where the whole list would have it. */
    const check = async (what) => {
        const { rows, scrollTop, height, count, scrollHeight } = await page.run(look);
        const rowHeight = (scrollHeight - columnsHeight) / flat.length;
        assert.ok(count < 400, `${what}: ${count} rows are on the page`);
        assert.ok(rows.length >= (height / rowHeight) * 0.5, `${what}: ${rows.length} rows are visible`);
        for (const { id, top } of rows) {
            const expected = places.get(id) * rowHeight - scrollTop + columnsHeight;
            assert.ok(Math.abs(top - expected) < 2, `${what}: expected ${id} at ${expected}, found ${top}`);
        }
    };
    await check('at the beginning');
    let distance = 0;
    let last = await page.run(look);
    for (let turn = 0; turn < 40; turn++) {
        await page.wheel(400);
        await pause(120);
        const now = await page.run(look);
        const before = last.rows.find(({ id }) => now.rows.some((row) => row.id === id));
        // The visible rows move exactly as far as the list scrolls.
        const moved = before.top - now.rows.find(({ id }) => id === before.id).top;
        assert.ok(Math.abs(moved - (now.scrollTop - last.scrollTop)) < 2, `${moved}`);
        distance += moved;
        last = now;
    }
    assert.ok(distance > 10_000);
    await pause(500);
    await check('after the wheel');
    for (const share of [0.5, 0.98, 0.02, 1, 0]) {
        await page.run((share) => {
            const rows = document.querySelector('#rows');
            rows.scrollTop = share * rows.scrollHeight;
        }, share);
        await pause(700);
        await check(`at ${share}`);
    }
    // The arrow keys move the focus through windows.
    await page.run(() => document.querySelector('[role=listitem]').focus());
    for (let turn = 0; turn < 150; turn++) {
        await page.press('ArrowDown');
        // The rate at which a held key repeats.
        await pause(30);
    }
    await pause(700);
    const { focused } = await page.run(look);
    assert.equal(focused, flat.filter((id) => id)[150]);
    await check('after the arrow keys');
    assertQuiet(page);
});
