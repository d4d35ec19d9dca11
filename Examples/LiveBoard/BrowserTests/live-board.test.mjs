// The page and the server, through cut connections and restarts.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { watchFocus } from './page-state.mjs';
import {
    assertQuiet, assertSame, dark, editing, isLive, narrow, opened, pause, serving, wide, withFiles,
} from './setting.mjs';

const changeSets = Number(process.env.CHANGE_SETS ?? 5000);

/** Runs in the page: returns the version that it shows. */
const version = () => {
    const [handle, number] = document.querySelector('#version').dataset.version.split('.');
    return { handle, number: Number(number) };
};
/** Runs in the page: returns whether it shows a version or a later one. */
const hasReached = (number) =>
    Number(document.querySelector('#version').dataset.version.split('.')[1]) >= number;

test('three browsers converge after reconnects, a frozen tab and a restart', async (context) => {
    const { server, wire, start, address } = await serving(context);
    let edits = editing(server);
    context.after(() => edits.stop());
    // Makes enough rows for the focus to be far down.
    await edits.until(300);
    const kinds = [wide, dark, narrow];
    const pages = await Promise.all(kinds.map((options) => opened(address('board'), options)));
    const all = (act) => Promise.all(pages.map(act));
    // A server built without optimization is slow.
    for (const page of pages) page.patience = 300_000;
    const beginning = await pages[0].run(version);
    await all((page) => page.run(watchFocus));
    await pause(1500);

    // Two reconnects.
    const hasComeBack = (count) => {
        const waits = window.states.filter((state) => state === 'waiting').length;
        return waits >= count && document.documentElement.dataset.connection === 'open';
    };
    for (const turn of [1, 2]) {
        wire.cut();
        await all((page) => page.until(hasComeBack, turn));
        await pause(800);
    }

    // A frozen tab catches up.
    await pages[1].send('Page.setWebLifecycleState', { state: 'frozen' });
    const { number: still } = await pages[0].run(version);
    await pause(3000);
    await pages[1].send('Page.setWebLifecycleState', { state: 'active' });
    await pages[1].until(hasReached, still + 1);

    // Enough change sets, at full speed.
    await all((page) => page.until(hasReached, beginning.number + changeSets));
    const watched = await all((page) => page.run(() => window.watch));
    for (const { frames, lost, chosen } of watched) {
        assert.ok(frames > 20 && chosen > 1, 'rows have had the focus');
        assert.equal(lost, 0, `an existing row lost the focus in ${frames} frames`);
    }

    // Kills and restarts the server, which begins another history.
    await edits.stop();
    await server.stop('SIGKILL');
    await pages[0].until(() => document.documentElement.dataset.connection === 'waiting');
    await start();
    edits = editing(server);
    await edits.until(300);
    await all((page) => page.until(isLive));
    await edits.stop();
    const found = await all((page) => assertSame(page, 'board', 'at rest'));
    for (const { version } of found) assert.equal(version, found[0].version);
    assert.notEqual(found[0].version.split('.')[0], beginning.handle);
    for (const page of pages) assertQuiet(page, { hadOutage: true });
    const focus = watched.map(({ frames, chosen }) => `${chosen} rows in ${frames} frames`);
    context.diagnostic(`${found[0].rows} rows at the end; had the focus: ${focus.join(', ')}`);
});

test('a hidden tab ends its connection, and resumes when it is visible', async (context) => {
    const { server, address } = await serving(context);
    const edits = editing(server);
    context.after(() => edits.stop());
    const page = await opened(address('board'), wide);
    await page.run(() => {
        const { setTimeout } = window;
        // Shortens the half minute.
        window.setTimeout = (done, milliseconds) =>
            setTimeout(done, milliseconds === 30_000 ? 50 : milliseconds);
        window.setVisible = (isVisible) => {
            const get = () => (isVisible ? 'visible' : 'hidden');
            Object.defineProperty(document, 'visibilityState', { get, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        };
        window.setVisible(false);
    });
    await page.until(() => document.querySelector('#state').textContent === 'Paused');
    // Waits until the page has shown what it had received.
    await pause(300);
    const paused = await page.run(version);
    await pause(700);
    assert.deepEqual(await page.run(version), paused);
    await page.run(() => window.setVisible(true));
    await page.until(isLive);
    await edits.stop();
    await assertSame(page, 'board');
    // The page is in the same history.
    const { handle, number } = await page.run(version);
    assert.equal(handle, paused.handle);
    assert.ok(number > paused.number);
    assertQuiet(page);
});

test('every list is shown with an empty console', async (context) => {
    const { address } = await serving(context, ...withFiles());
    const shots = process.env.SCREENSHOTS;
    if (shots) await mkdir(shots, { recursive: true });
    for (const [kind, options] of Object.entries({ light: wide, dark: { ...wide, dark: true }, narrow })) {
        const page = await opened(address('processes'), { ...options, calm: true });
        const names = await page.run(() =>
            [...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.name),
        );
        assert.deepEqual(names.toSorted(), ['board', 'files', 'processes']);
        for (const name of names) {
            await page.click(`[data-name=${name}]`);
            const isShown = (name) => document.querySelector(`.list.${name} [role=listitem]`) !== null;
            await page.until(isShown, name);
            await pause(1200);
            const [needed, there] = await page.run(() => {
                const { scrollWidth, clientWidth } = document.documentElement;
                return [scrollWidth, clientWidth];
            });
            assert.ok(needed <= there, `${name} is wider than its page`);
            if (shots) await writeFile(join(shots, `${name}-${kind}.png`), await page.screenshot());
        }
        assertQuiet(page);
    }
});
