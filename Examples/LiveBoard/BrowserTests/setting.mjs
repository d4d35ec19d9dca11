// Shared by the tests: a browser, servers, pages, and assertions about pages.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Browser } from './browser.mjs';
import { compare, watchConnection } from './page-state.mjs';
import { Server, Wire } from './server.mjs';

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Options of three different browsers. */
export const [wide, dark, narrow] = [
    { width: 1280, height: 800 },
    { width: 820, height: 900, dark: true },
    { width: 390, height: 780, touch: true, scale: 2 },
];

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

/** Makes a folder with 4,000 files. */
async function makeFiles() {
    const folder = await mkdtemp(join(tmpdir(), 'liveboard-files-'));
    const name = (kind, at, digits) => `${kind}-${String(at).padStart(digits, '0')}`;
    for (let directory = 0; directory < 100; directory++) {
        const path = join(folder, name('directory', directory, 3));
        await mkdir(path);
        const names = Array.from({ length: 40 }, (_, at) => `${name('file', at, 2)}.txt`);
        await Promise.all(names.map((name) => writeFile(join(path, name), name)));
    }
    return folder;
}

/** Returns the options of a server with a long list. */
export const withFiles = () => ['--files', folder, '--files-interval', '0.5'];

/** Inserts rows at the beginning of the long list. */
export async function growFiles(count) {
    // Sorts before the files of all earlier calls.
    const turn = 9_999_999_999_999 - Date.now();
    for (let at = 0; at < count; at++) {
        await writeFile(join(folder, 'directory-000', `another-${turn}-${at}.txt`), 'more');
    }
}

/** Starts a server and a proxy to it for the duration of a test. */
export async function serving(context, ...options) {
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

/** Runs in the page: returns whether it follows a list and shows it. */
export const isLive = () =>
    document.documentElement.dataset.connection === 'open' &&
    document.querySelector('[role=listitem]') !== null;

export async function opened(address, options) {
    const page = await browser.page(options);
    await page.open(address);
    await page.until(isLive);
    await page.run(watchConnection);
    return page;
}

/** Asserts that the console is empty, except for network errors of an outage. */
export function assertQuiet(page, { hadOutage = false } = {}) {
    const isOutage = /^error \(network\): Failed to load resource: net::ERR_/;
    const complaints = page.complaints.filter((text) => !hadOutage || !isOutage.test(text));
    assert.deepEqual(complaints, []);
}

/** Waits until a page is at the server's version, and asserts that its content is equal. */
export async function assertSame(page, name, message) {
    const found = await page.until(compare, name);
    if (!found.isSame) assert.deepEqual(found.seen, found.expected, message);
    const [shown, sent, computed] = found.digests;
    assert.deepEqual({ shown, computed }, { shown: sent, computed: sent }, message);
    return found;
}

/** Makes random edits of the board at full speed, over four concurrent connections. */
export function editing(server) {
    const address = `http://127.0.0.1:${server.port}/lists/board/edits`;
    const below = (bound) => Math.floor(Math.random() * bound);
    const ids = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
    let [isOver, done] = [false, 0];
    const perform = async (edit) => {
        const response = await fetch(address, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(edit),
        });
        const answer = await response.json();
        // Another connection may have removed the card.
        assert.ok(response.ok || response.status === 409, JSON.stringify(answer));
        if (response.ok) done += 1;
        return answer.id;
    };
    const step = () => {
        const at = below(ids.length);
        const section = ['todo', 'doing', 'done'][below(3)];
        const kind = below(10);
        // Grows to about 200 cards, too few for the page to use a window.
        if (kind < 4) return perform({ edit: 'rename', id: ids[at], text: `${done} & <that>` });
        if (kind < 6) return perform({ edit: 'move', id: ids[at], section, before: null });
        if (ids.length > 6 + below(400)) return perform({ edit: 'remove', id: ids.splice(at, 1)[0] });
        return perform({ edit: 'add', section, text: `Card ${done}`, before: null }).then((id) => ids.push(id));
    };
    const editors = Array.from({ length: 4 }, async () => {
        while (!isOver) await step();
    });
    return {
        /** Waits for a number of edits. */
        async until(count) {
            while (done < count) await pause(20);
        },
        async stop() {
            isOver = true;
            await Promise.all(editors);
            // The hub announces the last edits shortly after the responses.
            await pause(500);
        },
    };
}
