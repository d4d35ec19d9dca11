// A server with LiveBoard's protocol and made-up data, for work on the page and its tests without
// the real server: node mock-server.mjs [--port P] [--files COUNT]

import { createServer } from 'node:http';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { part } from '../../browser-replica/model.mjs';
import { RandomList } from '../../browser-replica/random-list.mjs';
import { MockList, MockReader } from './mock-list.mjs';
import { Numbers, Processes, card, file, files, header } from './mock-rows.mjs';

const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const types = {
    html: 'text/html; charset=utf-8',
    css: 'text/css',
    js: 'text/javascript',
    svg: 'image/svg+xml',
};
const folders = ['../Page/', '../../../Sources/BrowserScripts/Scripts/'].map(
    (path) => new URL(path, import.meta.url),
);

class Refusal extends Error {
    constructor(status, code, message) {
        super(message);
        Object.assign(this, { status, code });
    }
}

/** The editable board. */
class Board {
    #numbers = new Numbers();
    #next = 1;
    #columns = [
        { id: 'todo', title: 'To do', cards: [] },
        { id: 'doing', title: 'Doing', cards: [] },
        { id: 'done', title: 'Done', cards: [] },
    ];

    constructor() {
        const texts = [
            [
                'Write the release notes',
                'Answer the question about lanes',
                'Look at the <b>markup</b> in names',
                'Buy milk',
            ],
            ['Follow the scroll position', 'Measure before the next change'],
            ['Choose a name', 'Draw the five steps'],
        ];
        for (const [at, column] of texts.entries()) {
            this.#columns[at].cards = column.map((text) => this.#card(text));
        }
        this.list = new MockList('board', 'Board', this.#sections(), true);
    }

    #card(text) {
        return { id: `c${this.#next++}`, text };
    }

    #sections() {
        return this.#columns.map(({ id, title, cards }) => {
            const items = cards.map(({ id, text }) => part(this.#numbers.of(id), card(id, text)));
            return part(this.#numbers.of(id), header('board', id, title, cards.length), items);
        });
    }

    edit({ edit, id, section, before, text }) {
        const column = this.#columns.find((column) => column.id === section);
        const home = this.#columns.find(({ cards }) => cards.some((card) => card.id === id));
        const at = home?.cards.findIndex((card) => card.id === id);
        const demand = (holds, status, code, message) => {
            if (!holds) throw new Refusal(status, code, message);
        };
        demand(edit === 'add' || home, 409, 'gone', 'the card no longer exists');
        demand(column || section === undefined, 409, 'gone', 'the column no longer exists');
        const isText = text === undefined || /^.{1,500}$/u.test(text);
        demand(isText, 400, 'text', 'text must be 1 to 500 characters');
        const place = (card) => {
            const next = column.cards.findIndex((other) => other.id === before);
            demand(!before || next >= 0, 409, 'gone', 'the next card no longer exists');
            column.cards.splice(before ? next : column.cards.length, 0, card);
        };
        let name = id;
        if (edit === 'add') {
            const card = this.#card(text);
            name = card.id;
            place(card);
        } else if (edit === 'rename') home.cards[at] = { id, text };
        else if (edit === 'remove') home.cards.splice(at, 1);
        else if (edit === 'move') place(home.cards.splice(at, 1)[0]);
        else throw new Refusal(400, 'edit', 'edit must be add, rename, move or remove');
        return { version: this.list.commit(this.#sections()), id: name };
    }
}

/** Starts the server; `close` ends it and all connections. */
export async function startMockServer(options = {}) {
    const { port = 0, files: count = 0, delay = 0 } = options;
    const dice = new RandomList(7, { sections: 0 });
    const random = (limit) => dice.below(limit);
    const timers = [];
    const board = new Board();
    const processes = new Processes(random);
    const lists = [new MockList('processes', 'Processes', processes.refresh()), board.list];
    timers.push(setInterval(() => lists[0].commit(processes.refresh()), 1000));
    if (count) lists.push(new MockList('files', 'Files', files(random, count)));
    const readers = new Map();
    timers.push(setInterval(() => readers.forEach((reader) => reader.beat()), 10_000));
    const named = (name) => {
        const list = lists.find((list) => list.name === name);
        if (!list) throw new Refusal(404, 'list', 'there is no such list');
        return list;
    };

    const answer = async (request, response) => {
        const { pathname, searchParams } = new URL(request.url, 'http://localhost');
        const path = pathname === '/' ? '/assets/index.html' : pathname;
        const [, asset] = /^\/assets\/([\w.-]+\.(?:js|css|svg|html))$/.exec(path) ?? [];
        if (asset) return sendAsset(response, asset);
        if (pathname === '/lists') {
            const entry = ({ name, title, isEditable }) => ({ name, title, editable: isEditable });
            return sendJSON(response, 200, lists.map(entry));
        }
        const [, name, verb] = /^\/lists\/(\w+)\/(updates|window|edits|snapshot|grow)$/.exec(pathname) ?? [];
        if (!name) throw new Refusal(404, 'path', 'there is no such address');
        const list = named(name);
        if (verb === 'snapshot') return sendJSON(response, 200, list.snapshot);
        if (verb === 'updates') return follow(list, request, response, searchParams);
        const body = JSON.parse(await text(request));
        if (verb === 'grow') {
            list.grow((at) => part(9_000_000 + at, file(`Sources/Grown${at}.swift`, at)), body.count);
            return sendJSON(response, 200, {});
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
        if (verb === 'edits') return sendJSON(response, 200, board.edit(body));
        const reader = readers.get(searchParams.get('connection'));
        if (!reader) throw new Refusal(404, 'connection', 'there is no such connection');
        reader.move(body);
        response.writeHead(204).end();
    };
    const follow = (list, request, response, query) => {
        response.writeHead(200, {
            'Content-Type': 'text/event-stream',
            'Cache-Control': 'no-store',
            'X-Accel-Buffering': 'no',
        });
        const numbers = ['row', 'rows', 'anchor', 'before', 'after'].filter((name) => query.has(name));
        const window = Object.fromEntries(numbers.map((name) => [name, Number(query.get(name))]));
        if (query.has('version')) window.version = query.get('version');
        const isWindow = numbers.length > 0;
        const reader = new MockReader(list, isWindow ? window : null, response);
        readers.set(reader.id, reader);
        response.on('close', () => {
            readers.delete(reader.id);
            list.readers.delete(reader);
        });
        reader.begin(request.headers['last-event-id']);
    };
    const server = createServer((request, response) => {
        response.setHeader('Content-Security-Policy', policy);
        response.setHeader('X-Content-Type-Options', 'nosniff');
        answer(request, response).catch((error) => {
            const { status = 500, code = 'failed', message } = error;
            sendJSON(response, status, { error: { code, message } });
        });
    });
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
    const close = () => {
        for (const timer of timers) clearInterval(timer);
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
    };
    return { port: server.address().port, close };
}

function sendJSON(response, status, value) {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(value));
}

async function sendAsset(response, name) {
    for (const folder of folders) {
        const content = await readFile(new URL(name, folder)).catch(() => null);
        if (!content) continue;
        const tag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;
        const type = types[name.split('.').pop()];
        response.writeHead(200, { 'Content-Type': type, ETag: tag, 'Cache-Control': 'no-cache' });
        return response.end(content);
    }
    throw new Refusal(404, 'asset', 'there is no such file');
}

async function text(request) {
    let all = '';
    for await (const part of request) all += part;
    return all;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const option = (name) => {
        const at = process.argv.indexOf(`--${name}`);
        return at < 0 ? undefined : Number(process.argv[at + 1]);
    };
    const { port } = await startMockServer({
        port: option('port'),
        files: option('files'),
        delay: option('delay'),
    });
    console.log(`Listening on http://127.0.0.1:${port}`);
}
