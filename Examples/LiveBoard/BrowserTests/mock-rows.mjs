// Rows and headers in the server's HTML, and lists of them for the mock server.

import { part } from '../../browser-replica/model.mjs';

const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escaped = (text) => text.replace(/[&<>"']/g, (mark) => marks[mark]);
const span = (kind, text, label) =>
    `<span class="${kind}"${label ? ` aria-label="${escaped(label)}"` : ''}>${escaped(text)}</span>`;

export const header = (list, id, title, count, total) =>
    `<div class="header ${list}" data-id="${escaped(id)}"><span class="title">${escaped(title)}</span>` +
    `<span class="count" title="${count} rows">${count}</span>${total ? span('total', total) : ''}</div>`;

export const card = (id, text) =>
    `<div class="row card" data-id="${escaped(id)}">${span('text', text)}</div>`;

const level = (cpu) => (cpu === 0 ? 'none' : cpu < 10 ? 'low' : cpu < 50 ? 'medium' : 'high');

export const process = ({ pid, name, command, cpu, memory, threads, state }) =>
    `<div class="row process ${state}" data-id="${pid}">` +
    `<span class="name" title="${escaped(command)}">${escaped(name)}</span>` +
    span('pid', `${pid}`, `process ${pid}`) +
    span(`cpu ${level(cpu)}`, `${cpu.toFixed(1)} %`, `${cpu.toFixed(1)} percent of a processor`) +
    span('memory', `${memory} MB`, `${memory} megabytes of memory`) +
    span('threads', `${threads}`, `${threads} threads`) +
    `${span('state', state[0].toUpperCase() + state.slice(1))}</div>`;

export const file = (path, size) =>
    `<div class="row file regular" data-id="${escaped(path)}">${span('name', path.split('/').pop())}` +
    `${span('size', `${size} KB`, `${size} kilobytes`)}` +
    '<time class="modified" datetime="2026-11-25T12:00:00Z">2026-11-25 12:00</time></div>';

/** Permanent numbers for identifiers, from 1. */
export class Numbers {
    #numbers = new Map();

    of(id) {
        if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size + 1);
        return this.#numbers.get(id);
    }
}

const users = ['root', 'postgres', 'www-data', 'anna', 'systemd-network', 'messagebus'];
const commands = [
    'systemd', 'kworker/0:1', 'postgres: writer', 'nginx: worker', 'bash', 'chromium', 'swift-frontend',
    'sshd', 'node', 'cron', 'dbus-daemon', 'Xwayland', '<b>&"markup\'</b>', 'ksoftirqd/1', 'clangd',
];

/** The processes of a fictitious machine, which start, end and change rank. */
export class Processes {
    #random;
    #numbers = new Numbers();
    #all = [];
    #pid = 1;
    #parts = new Map();

    constructor(random, count = 90) {
        this.#random = random;
        while (this.#all.length < count) this.#start();
    }

    #start() {
        const name = commands[this.#random(commands.length)];
        this.#pid += 1 + this.#random(40);
        const command = `/usr/bin/${name} --serve ${this.#pid}`;
        const user = users[Math.min(this.#random(users.length), this.#random(users.length))];
        const [memory, threads] = [this.#random(900), 1 + this.#random(30)];
        const process = { pid: this.#pid, name, command, user, memory, threads };
        this.#all.push({ ...process, cpu: 0, state: 'sleeping' });
    }

    /** Advances by a second and returns the sections. */
    refresh() {
        for (const process of this.#all) {
            if (this.#random(3)) continue;
            const isBusy = this.#random(4) === 0;
            process.cpu = isBusy ? this.#random(this.#random(900) + 1) / 10 : this.#random(3) / 10;
            process.state = isBusy ? 'running' : ['sleeping', 'idle', 'waiting'][this.#random(3)];
        }
        if (this.#random(3) === 0) this.#all.splice(this.#random(this.#all.length), 1);
        if (this.#all.length < 90) this.#start();
        const groups = grouped(this.#all);
        return users.filter((user) => groups.has(user)).map((user) => {
            const rows = groups.get(user).sort((a, b) => b.cpu - a.cpu || a.pid - b.pid);
            const total = `${rows.reduce((sum, { cpu }) => sum + cpu, 0).toFixed(1)} %`;
            const items = rows.map((row) => this.#part(`p${row.pid}`, process(row)));
            const html = header('processes', user, user, rows.length, total);
            return part(this.#numbers.of(`u${user}`), html, items);
        });
    }

    #part(id, html) {
        if (this.#parts.get(id)?.p !== html) this.#parts.set(id, part(this.#numbers.of(id), html));
        return this.#parts.get(id);
    }
}

function grouped(all) {
    const groups = new Map();
    for (const one of all) groups.set(one.user, [...(groups.get(one.user) ?? []), one]);
    return groups;
}

/** Returns sections of many files in directories of different sizes. */
export function files(random, count) {
    const sections = [];
    // Each history has different numbers.
    const from = 1 + Math.floor(Math.random() * 1000);
    let n = 0;
    for (let directory = 0; n < count; directory++) {
        const id = `Sources/Module${String(directory).padStart(4, '0')}`;
        const rows = Math.min(count - n, 1 + random(60));
        const items = Array.from({ length: rows }, (_, at) => {
            n += 1;
            const path = `${id}/File${String(at).padStart(3, '0')}.swift`;
            return part(1_000_000 + from + n, file(path, 1 + random(400)));
        });
        sections.push(part(from + directory, header('files', id, id, rows, `${rows * 12} KB`), items));
    }
    return sections;
}
