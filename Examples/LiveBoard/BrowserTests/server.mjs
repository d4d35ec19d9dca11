// A server in its own process, and connections to it that tests can cut.

import { spawn } from 'node:child_process';
import { createServer, connect } from 'node:net';

// Ends the servers when the tests end.
const children = new Set();
process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** The server at the path `LIVEBOARD`. Tests can kill and restart it. */
export class Server {
    #child = null;
    port = null;

    /** @param options are options of the command. */
    async start(...options) {
        const all = ['--port', '0', ...options];
        const child = spawn(process.env.LIVEBOARD, all, { stdio: ['ignore', 'pipe', 'pipe'] });
        this.#child = child;
        children.add(child);
        child.on('exit', () => children.delete(child));
        let said = '';
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-4000)));
        }
        this.port = await new Promise((resolve, reject) => {
            const fail = (why) => reject(new Error(`the server ${why}: ${said}`));
            const timer = setTimeout(fail, 60_000, 'printed no address within a minute');
            const look = () => {
                const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
                if (!port) return;
                clearTimeout(timer);
                resolve(Number(port));
            };
            child.stdout.on('data', look);
            child.stderr.on('data', look);
            child.on('error', reject);
            child.on('exit', (code) => fail(`has ended with ${code}`));
        });
    }

    async stop(signal = 'SIGTERM') {
        const child = this.#child;
        this.#child = null;
        if (!child || child.exitCode !== null) return;
        const ended = new Promise((resolve) => child.on('exit', resolve));
        child.kill(signal);
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
        await ended;
        clearTimeout(timer);
    }
}

/** A proxy between browsers and a server. Tests can change its target and cut connections. */
export class Wire {
    #sockets = new Set();
    #server;
    target = null;
    /** The number of connections so far. */
    count = 0;

    async open() {
        this.#server = createServer((client) => {
            this.count += 1;
            if (!this.target) return client.destroy();
            const upstream = connect(this.target, '127.0.0.1');
            const both = [client, upstream];
            for (const socket of both) {
                this.#sockets.add(socket);
                socket.setNoDelay(true);
                socket.on('error', () => {});
                socket.on('close', () => {
                    this.#sockets.delete(socket);
                    for (const other of both) other.destroy();
                });
            }
            client.pipe(upstream);
            upstream.pipe(client);
        });
        await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
        return this.#server.address().port;
    }

    /** Ends all connections, as a short network failure does. */
    cut() {
        for (const socket of this.#sockets) socket.destroy();
    }

    close() {
        this.cut();
        return new Promise((resolve) => this.#server.close(resolve));
    }
}
