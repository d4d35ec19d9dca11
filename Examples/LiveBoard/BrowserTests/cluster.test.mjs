// One board on several servers: the page moves between them, and the leader is killed. Needs
// nats-server, and LIVE_BOARD_CLUSTER in the environment of the build and of the tests.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server } from './server.mjs';
import { assertQuiet, assertSame, narrow, opened, pause, serving, wide } from './setting.mjs';

const path = `${process.env.PATH}:/usr/sbin`;
const hasBroker = () => {
    try {
        return Boolean(execFileSync('which', ['nats-server'], { env: { PATH: path } }));
    } catch {
        return false;
    }
};
const skip = !(process.env.LIVE_BOARD_CLUSTER && hasBroker());

/** Starts a broker with a new store for the duration of a test, and returns its address. */
async function makeBroker(context) {
    const port = await new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
    const store = await mkdtemp(join(tmpdir(), 'liveboard-broker-'));
    const options = ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', store];
    const broker = spawn('nats-server', options, { stdio: 'ignore', env: { PATH: path } });
    process.on('exit', () => broker.kill('SIGKILL'));
    context.after(async () => {
        broker.kill('SIGKILL');
        await rm(store, { recursive: true, force: true });
    });
    const isListening = () =>
        new Promise((resolve) => {
            const socket = connect(port, '127.0.0.1', () => resolve(true));
            socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
        });
    while (!(await isListening())) await pause(20);
    return `nats://127.0.0.1:${port}`;
}

const hasCard = (text) =>
    [...document.querySelectorAll('.text')].some(({ textContent }) => textContent === text);

test('a page continues at another server, and after the leader is killed', { skip }, async (context) => {
    const broker = await makeBroker(context);
    const leaders = [new Server(), new Server()];
    const other = new Server();
    context.after(() => Promise.all([...leaders, other].map((server) => server.stop('SIGKILL'))));
    await leaders[0].start('--lead', broker);
    const { server, wire, address } = await serving(context, '--follow', broker);
    await leaders[1].start('--lead', broker);
    await other.start('--follow', broker);

    const pages = [await opened(address('board'), wide), await opened(address('board'), narrow)];
    const [page] = pages;
    const versionOf = () => document.querySelector('#version').dataset.version;
    const [history] = (await page.run(versionOf)).split('.');
    const add = async (text) => {
        await page.click('#text');
        await page.type(text);
        await page.press('Enter');
        for (const page of pages) {
            await page.until(hasCard, text);
            await assertSame(page, 'board');
        }
    };
    // Marks an element, to check that the page keeps it.
    const mark = () => (document.querySelector('[role=listitem]').wasHere = true);
    const isMarked = () => document.querySelector('[role=listitem]').wasHere === true;
    await page.run(mark);
    await add('At one server');
    const hasComeBack = (count) => {
        const waits = window.states.filter((state) => state === 'waiting').length;
        return waits >= count && document.documentElement.dataset.connection === 'open';
    };
    const targets = [other.port, server.port, leaders[1].port, other.port];
    for (const [turn, target] of targets.entries()) {
        wire.target = target;
        wire.cut();
        for (const page of pages) await page.until(hasComeBack, turn + 1);
        await add(`At ${target}, in turn ${turn}`);
    }
    await leaders[0].stop('SIGKILL');
    await add('After the leader');
    assert.ok(await page.run(isMarked), 'the page keeps the element of the first card');
    assert.equal((await page.run(versionOf)).split('.')[0], history);
    for (const page of pages) assertQuiet(page, { hadOutage: true });
});
