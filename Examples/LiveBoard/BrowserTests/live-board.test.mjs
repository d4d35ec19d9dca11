// The page in real browsers, with the server that LIVEBOARD names, or with the mock.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser } from './browser.mjs';
import { Server, Wire } from './server.mjs';
import { compare, look, rests, watchConnection, watchFocus } from './page-state.mjs';

const isReal = Boolean(process.env.LIVEBOARD);
const changeSets = Number(process.env.CHANGE_SETS ?? 10_000);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const widths = [{ width: 1280, height: 800 }, { width: 820, height: 900, dark: true }, { width: 390, height: 780, touch: true, scale: 2 }];

let browser;
let folder;
before(async () => {
    browser = await Browser.launch();
    folder = await makeFiles();
});
after(async () => {
    await browser?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
});

/** A folder with 4,000 files, which the real server lists. */
async function makeFiles() {
    if (!isReal) return null;
    const folder = await mkdtemp(join(tmpdir(), 'liveboard-files-'));
    for (let directory = 0; directory < 100; directory++) {
        const path = join(folder, `directory-${String(directory).padStart(3, '0')}`);
        await mkdir(path);
        const names = Array.from({ length: 40 }, (_, at) => `file-${String(at).padStart(2, '0')}.txt`);
        await Promise.all(names.map((name) => writeFile(join(path, name), name)));
    }
    return folder;
}
const filesOption = () => ['--files', isReal ? folder : '4000'];

/** A server and a wire to it, for as long as a test runs. */
async function serving(context, ...options) {
    const [server, wire] = [new Server(), new Wire()];
    const port = await wire.open();
    context.after(async () => {
        await wire.close();
        await server.stop('SIGKILL');
    });
    const start = async (...options) => {
        await server.start(...options);
        wire.target = server.port;
    };
    await start(...options);
    return { server, wire, start, address: (list) => `http://127.0.0.1:${port}/#${list}` };
}

const isLive = () =>
    document.documentElement.dataset.connection === 'open' && document.querySelector('[role=listitem]') !== null;

async function opened(address, options) {
    const page = await browser.page(options);
    await page.open(address);
    await page.until(isLive);
    await page.run(watchConnection);
    return page;
}

/** What the console may say: that there is no network, while there is none. */
const isOutage = (complaint) => /^error \(network\): Failed to load resource: net::ERR_/.test(complaint);
const complaints = (page, hadOutage) => page.complaints.filter((text) => !(hadOutage && isOutage(text)));

/** Waits until a page is at the server's version, and has the same then. */
async function assertSame(page, name, message) {
    const found = await page.until(compare, name);
    if (!found.isSame) assert.deepEqual(found.seen, found.expected, message);
    const [shown, told, computed] = found.digests;
    assert.deepEqual({ shown, computed }, { shown: told, computed: told }, message);
    // While the list goes on, the view's map may have gone on already.
    assert.notEqual(found.map, 'different', message);
    return found;
}

test('three browsers have what the server has, whatever happened meanwhile', async (context) => {
    const { server, wire, start, address } = await serving(context, '--churn', '0');
    const pages = await Promise.all(widths.map((options) => opened(address('churn'), options)));
    const versions = () => Promise.all(pages.map((page) => page.run(() => {
        const [handle, number] = document.querySelector('#version').dataset.version.split('.');
        return { handle, number: Number(number) };
    })));
    // A server that was built without optimisation takes its time.
    for (const page of pages) page.patience = 300_000;
    const beginning = await versions();
    await Promise.all(pages.map((page) => page.run(watchFocus)));
    await pause(1500);

    // Two reconnects.
    for (let turn = 1; turn <= 2; turn++) {
        wire.cut();
        const count = turn;
        await Promise.all(pages.map((page) => page.until((count) => {
            const waits = window.states.filter((state) => state === 'waiting').length;
            return waits >= count && document.documentElement.dataset.connection === 'open';
        }, count)));
        await pause(800);
    }

    // A tab that stands still, and catches up.
    await pages[1].send('Page.setWebLifecycleState', { state: 'frozen' });
    const still = (await versions())[1].number;
    await pause(3000);
    await pages[1].send('Page.setWebLifecycleState', { state: 'active' });
    await pages[1].until((number) => Number(document.querySelector('#version').dataset.version.split('.')[1]) > number, still);

    // Enough change sets, at full speed.
    for (const page of pages) {
        const until = beginning[0].number + changeSets;
        await page.until((until) => Number(document.querySelector('#version').dataset.version.split('.')[1]) >= until, until);
    }
    const watched = await Promise.all(pages.map((page) => page.run(() => window.watch)));
    for (const { frames, lost, chosen } of watched) {
        assert.ok(frames > 20 && chosen > 1, 'rows had the focus');
        assert.equal(lost, 0, `a row lost the focus though it was there, in ${frames} frames`);
    }

    // Killed, and started again: another history, which rests after a while.
    await server.stop('SIGKILL');
    await pages[0].until(() => document.documentElement.dataset.connection === 'waiting');
    await start('--churn', '0', '--churn-sets', '3000');
    for (const page of pages) await page.until(isLive);
    // Compared while it goes on, and when it rests.
    await assertSame(pages[0], 'churn', 'on the way');
    await pages[0].until(rests, 'churn');
    const found = [];
    for (const [at, page] of pages.entries()) found.push(await assertSame(page, 'churn', `page ${at}`));
    for (const { version, map } of found) assert.deepEqual([version, map], [found[0].version, 'equal']);
    assert.notEqual(found[0].version.split('.')[0], beginning[0].handle);
    for (const page of pages) assert.deepEqual(complaints(page, true), []);
    context.diagnostic(`${found[0].rows} rows, ${JSON.stringify(watched)}`);
});

test('what is read and what has the focus stays, through reconnects and a restart', async (context) => {
    const { server, wire, start, address } = await serving(context, ...filesOption());
    const page = await opened(address('files'), widths[0]);
    await page.run(() => (document.querySelector('#rows').scrollTop = 40_000));
    await page.until(() => {
        const rect = document.querySelector('#rows').getBoundingClientRect();
        return document.elementFromPoint(rect.left + 200, rect.top + rect.height / 2)?.closest('[role=listitem]');
    });
    await pause(500);
    await page.run(() => {
        const rect = document.querySelector('#rows').getBoundingClientRect();
        const row = document.elementFromPoint(rect.left + 200, rect.top + rect.height / 2).closest('[role=listitem]');
        row.focus({ preventScroll: true });
        window.focusedElement = row;
    });
    const before = await page.run(look);
    assert.ok(before.focused && before.rows.length > 10);
    const same = async (what) => {
        await page.until(isLive);
        await pause(500);
        const now = await page.run(look);
        assert.equal(now.focused, before.focused, what);
        assert.ok(await page.run(() => document.activeElement === window.focusedElement), `${what}: the element`);
        const places = ({ rows }) => rows.map(({ id, top }) => [id, Math.round(top)]);
        assert.deepEqual(places(now), places(before), what);
    };
    for (const turn of [1, 2]) {
        wire.cut();
        await page.until((turn) => window.states.filter((state) => state === 'waiting').length === turn, turn);
        await same(`reconnect ${turn}`);
    }
    await server.stop('SIGKILL');
    await page.until(() => window.states.filter((state) => state === 'waiting').length >= 3);
    await start(...filesOption());
    await same('restart');
    assert.deepEqual(complaints(page, true), []);
});

test('a window follows the scroll position, and nothing jumps', async (context) => {
    const { address } = await serving(context, ...filesOption());
    const page = await opened(address('files'), widths[0]);
    const flat = await page.run(async () => {
        const { sections } = await (await fetch('/lists/files/snapshot')).json();
        const id = (html) => new DOMParser().parseFromString(html, 'text/html').body.firstElementChild.dataset.id;
        return sections.flatMap(({ items }) => [null, ...items.map(([, p]) => id(p))]);
    });
    assert.ok(flat.length > 4000);
    const places = new Map(flat.map((id, at) => [id, at]));
    /** All rows that can be seen are those that are there in the whole list. */
    const check = async (what) => {
        const { rows, scrollTop, height, count, scrollHeight } = await page.run(look);
        const rowHeight = (scrollHeight - 28) / flat.length;
        assert.ok(count < 400, `${what}: ${count} rows are on the page`);
        assert.ok(rows.length >= (height / rowHeight) * 0.5, `${what}: ${rows.length} rows are seen`);
        for (const { id, top } of rows) {
            const expected = places.get(id) * rowHeight - scrollTop + 28;
            assert.ok(Math.abs(top - expected) < 2, `${what}: ${id} is at ${top} and not at ${expected}`);
        }
        return rows;
    };
    await check('at the beginning');
    const distances = [];
    let last = await page.run(look);
    for (let turn = 0; turn < 40; turn++) {
        await page.wheel(400);
        await pause(120);
        const now = await page.run(look);
        const shared = now.rows.find(({ id }) => last.rows.some((row) => row.id === id));
        // What is seen moves as far as it was scrolled, and no further.
        const moved = last.rows.find((row) => row.id === shared.id).top - shared.top;
        assert.ok(Math.abs(moved - (now.scrollTop - last.scrollTop)) < 2, `${moved}`);
        distances.push(moved);
        last = now;
    }
    assert.ok(distances.reduce((sum, distance) => sum + distance, 0) > 10_000);
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
    // The arrow keys lead through windows.
    await page.run(() => document.querySelector('[role=listitem]').focus());
    for (let turn = 0; turn < 150; turn++) {
        await page.press('ArrowDown');
        // As fast as a key repeats.
        await pause(30);
    }
    await pause(700);
    const { focused } = await page.run(look);
    assert.equal(focused, flat.filter((id) => id)[150]);
    await check('after the arrow keys');
    assert.deepEqual(complaints(page), []);
});

test('cards are added, renamed, moved and removed, and others see it', async (context) => {
    const { wire, address } = await serving(context);
    const [page, other] = await Promise.all([opened(address('board'), widths[0]), opened(address('board'), widths[2])]);
    const texts = () => [...document.querySelectorAll('[role=list]')].map((list) => [...list.querySelectorAll('.text')].map((text) => text.textContent));
    const both = async (holds, ...values) => {
        await page.until(holds, ...values);
        await other.until(holds, ...values);
        await assertSame(page, 'board');
        await assertSame(other, 'board');
    };
    const [todo] = await page.run(texts);
    await page.click('#text');
    await page.type('Feed the <cat> & "dog"');
    await page.press('Enter');
    await both((count) => document.querySelectorAll('[role=list]')[0].children.length === count, todo.length + 1);
    assert.equal((await other.run(texts))[0].at(-1), 'Feed the <cat> & "dog"');
    assert.ok(await page.run(() => document.activeElement.id === 'text'));

    const focusOn = (text) => page.run((text) => {
        const found = [...document.querySelectorAll('.text')].find((element) => element.textContent === text);
        found.closest('[role=listitem]').focus();
    }, text);
    const focusedText = () => document.activeElement.querySelector('.text')?.textContent;
    await focusOn('Feed the <cat> & "dog"');
    await page.press('ArrowRight', { alt: true });
    await both(() => [...document.querySelectorAll('[role=list]')[1].children].some((row) => row.textContent.includes('Feed the <cat>')));
    assert.equal(await page.run(focusedText), 'Feed the <cat> & "dog"');
    await page.press('ArrowUp', { alt: true });
    await page.press('Enter');
    await page.until(() => document.activeElement.matches('.rename input'));
    await page.run(() => document.activeElement.select());
    await page.type('Feed both');
    await page.press('Enter');
    await both(() => [...document.querySelectorAll('.text')].some((text) => text.textContent === 'Feed both'));
    assert.equal(await page.run(focusedText), 'Feed both');
    await page.press('Delete');
    await both(() => ![...document.querySelectorAll('.text')].some((text) => text.textContent === 'Feed both'));
    assert.ok(await page.run(() => document.activeElement.matches('[role=listitem]')), 'the next card has the focus');

    // Dragged with the mouse, to the top of the last column.
    const [from, to] = await page.run(() => {
        const lists = document.querySelectorAll('[role=list]');
        const center = (element) => {
            const { left, top, width } = element.getBoundingClientRect();
            return [left + width / 3, top + 8];
        };
        return [center(lists[0].firstElementChild), center(lists[2].firstElementChild)];
    });
    const [dragged] = (await page.run(texts))[0];
    await page.drag(from, to);
    await both((text) => document.querySelectorAll('[role=list]')[2].firstElementChild.textContent.includes(text), dragged);

    // Without a network an edit is taken back, and that is said.
    const lists = JSON.stringify(await page.run(texts));
    wire.target = null;
    wire.cut();
    await page.click('#text');
    await page.type('Never');
    await page.press('Enter');
    await page.until(() => !document.querySelector('#problem').hidden);
    assert.match(await page.run(() => document.querySelector('#problem').textContent), /not added/);
    await page.until((lists) => {
        const now = [...document.querySelectorAll('[role=list]')].map((list) =>
            [...list.querySelectorAll('.text')].map((text) => text.textContent));
        return JSON.stringify(now) === lists;
    }, lists);
    assert.deepEqual(complaints(page, true), []);
    assert.deepEqual(complaints(other, true), []);
});

test('a hidden tab ends its connection after a while, and goes on when it is seen', async (context) => {
    const { address } = await serving(context, '--churn', '200', '--churn-sets', '1000');
    const page = await opened(address('churn'), widths[0]);
    await page.run(() => {
        const { setTimeout } = window;
        // Half a minute is a moment here.
        window.setTimeout = (done, milliseconds) => setTimeout(done, milliseconds === 30_000 ? 50 : milliseconds);
        window.setVisible = (isVisible) => {
            const get = () => (isVisible ? 'visible' : 'hidden');
            Object.defineProperty(document, 'visibilityState', { get, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        };
        window.setVisible(false);
    });
    await page.until(() => document.querySelector('#state').textContent === 'Paused');
    // What came before is shown yet.
    await pause(300);
    const { version } = await page.run(() => ({ ...document.querySelector('#version').dataset }));
    await pause(700);
    assert.equal(await page.run(() => document.querySelector('#version').dataset.version), version);
    await page.run(() => window.setVisible(true));
    await page.until(isLive);
    await page.until(rests, 'churn');
    const found = await assertSame(page, 'churn');
    assert.notEqual(found.version, version);
    assert.deepEqual(complaints(page), []);
});

test('a search is made by the server', async (context) => {
    const { address } = await serving(context, ...filesOption());
    const page = await opened(address('board'), widths[0]);
    await page.run(() => document.querySelector('[role=listitem]').focus());
    const count = await page.run(() => document.querySelectorAll('[role=listitem]').length);
    const [word] = (await page.run(() => document.querySelector('.text').textContent)).split(' ');
    await page.press('/', { text: '/' });
    assert.ok(await page.run(() => document.activeElement.id === 'search'));
    await page.type(word);
    await page.until((count) => document.querySelectorAll('[role=listitem]').length < count, count);
    const texts = await page.run(() => [...document.querySelectorAll('.text')].map((text) => text.textContent));
    assert.ok(texts.length > 0 && texts.every((text) => text.toLowerCase().includes(word.toLowerCase())));
    assert.ok(await page.run(() => document.activeElement.id === 'search'));
    await page.type(' xyzzy');
    await page.until(() => !document.querySelector('#empty').hidden);
    await page.press('Escape');
    await page.until((count) => document.querySelectorAll('[role=listitem]').length === count, count);
    await assertSame(page, 'board');

    // What is found in a long list may be short, and is followed whole then.
    await page.click('[data-name=files]');
    await page.until(() => document.querySelector('.list.files.windowed [role=listitem]'));
    await page.click('#search');
    await page.type(isReal ? 'file-07' : 'File007');
    await page.until(() => {
        const list = document.querySelector('.list.files:not(.windowed)');
        return list && [...list.querySelectorAll('.name')].every((name) => /07/.test(name.textContent));
    });
    const { count: few } = await page.run(look);
    assert.ok(few > 20 && few <= 500, `${few} rows are found`);
    await page.press('Escape');
    await page.until(() => document.querySelector('.list.files.windowed [role=listitem]'));
    assert.deepEqual(complaints(page), []);
});

test('every list is shown without a complaint', async (context) => {
    const { address } = await serving(context, ...filesOption(), '--churn', '20');
    const shots = process.env.SCREENSHOTS;
    if (shots) await mkdir(shots, { recursive: true });
    const kinds = { light: widths[0], dark: { ...widths[0], dark: true }, narrow: widths[2] };
    for (const [kind, options] of Object.entries(kinds)) {
        const page = await opened(address('processes'), { ...options, calm: true });
        const names = await page.run(() => [...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.name));
        assert.deepEqual(names.toSorted(), ['board', 'churn', 'files', 'processes']);
        for (const name of names) {
            await page.click(`[data-name=${name}]`);
            await page.until((name) => document.querySelector(`.list.${name} [role=listitem]`) !== null, name);
            await pause(1200);
            const { scrollWidth, clientWidth } = await page.run(() => {
                const { scrollWidth, clientWidth } = document.documentElement;
                return { scrollWidth, clientWidth };
            });
            assert.ok(scrollWidth <= clientWidth, `${name} is not wider than its page`);
            if (shots) await writeFile(join(shots, `${name}-${kind}.png`), await page.screenshot());
        }
        assert.deepEqual(complaints(page), []);
    }
});
