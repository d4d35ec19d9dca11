// A headless Chromium, controlled over pipes without packages or ports.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const keyCodes = {
    Enter: 13,
    Escape: 27,
    ArrowLeft: 37,
    ArrowUp: 38,
    ArrowRight: 39,
    ArrowDown: 40,
    Delete: 46,
};

/** A new browser with its profile in a temporary folder. */
export class Browser {
    #process;
    #folder;
    #count = 0;
    #waiting = new Map();
    #pages = new Map();
    #rest = '';

    static async launch({ path = process.env.CHROMIUM ?? 'chromium' } = {}) {
        const folder = await mkdtemp(join(tmpdir(), 'liveboard-browser-'));
        const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
        const flags = [
            '--headless=new',
            '--remote-debugging-pipe',
            `--user-data-dir=${folder}`,
            '--no-first-run',
            '--no-default-browser-check',
            '--disable-gpu',
            '--disable-dev-shm-usage',
            '--disable-extensions',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-background-timer-throttling',
            '--disable-renderer-backgrounding',
            '--disable-backgrounding-occluded-windows',
            '--force-color-profile=srgb',
            ...root,
            'about:blank',
        ];
        const stdio = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'];
        const child = spawn(path, flags, { stdio });
        const browser = new Browser(child, folder);
        try {
            await browser.send('Browser.getVersion');
        } catch (error) {
            await browser.close();
            throw error;
        }
        return browser;
    }

    constructor(child, folder) {
        [this.#process, this.#folder] = [child, folder];
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2000)));
        const end = (why) => {
            const error = new Error(`the browser ${why}: ${said}`);
            for (const { reject } of this.#waiting.values()) reject(error);
            this.#waiting.clear();
        };
        child.on('error', (error) => end(error.message));
        child.on('exit', () => end('has ended'));
        child.stdio[3].on('error', () => {});
        child.stdio[4].setEncoding('utf8').on('data', (text) => this.#receive(text));
    }

    send(method, params = {}, sessionId) {
        const id = (this.#count += 1);
        this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
    }

    #receive(text) {
        this.#rest += text;
        if (!text.includes('\0')) return;
        const messages = this.#rest.split('\0');
        this.#rest = messages.pop();
        for (const message of messages) {
            const { id, result, error, sessionId, method, params } = JSON.parse(message);
            if (id === undefined) {
                this.#pages.get(sessionId)?.receive(method, params);
                continue;
            }
            const { resolve, reject, method: requestedMethod } = this.#waiting.get(id) ?? {};
            this.#waiting.delete(id);
            if (error) reject?.(new Error(`${requestedMethod}: ${error.message}`));
            else resolve?.(result);
        }
    }

    /** Opens a page in a new context, as in another browser. */
    async page(options = {}) {
        const { width = 1280, height = 800, dark, touch, calm, scale } = options;
        const { browserContextId } = await this.send('Target.createBrowserContext');
        const target = { url: 'about:blank', browserContextId, width, height };
        const { targetId } = await this.send('Target.createTarget', target);
        const attachment = { targetId, flatten: true };
        const { sessionId } = await this.send('Target.attachToTarget', attachment);
        const page = new BrowserPage((method, params) => this.send(method, params, sessionId));
        this.#pages.set(sessionId, page);
        for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
        await page.send('Emulation.setFocusEmulationEnabled', { enabled: true });
        await page.resize({ width, height, touch, scale });
        await page.send('Emulation.setEmulatedMedia', {
            features: [
                { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
                { name: 'prefers-reduced-motion', value: calm ? 'reduce' : 'no-preference' },
            ],
        });
        return page;
    }

    async close() {
        const ended = new Promise((resolve) => {
            if (this.#process.exitCode !== null || this.#process.pid === undefined) resolve();
            else this.#process.on('exit', resolve);
        });
        this.#process.kill();
        const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
        await ended;
        clearTimeout(timer);
        await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

/** A page; `complaints` has the console's lines, exceptions and policy violations. */
export class BrowserPage {
    complaints = [];
    /** The milliseconds that `until` waits. */
    patience = 30_000;
    #listeners = new Map();

    constructor(send) {
        this.send = send;
    }

    receive(method, params) {
        if (method === 'Runtime.exceptionThrown') {
            const { text, exception } = params.exceptionDetails;
            this.complaints.push(`exception: ${text} ${exception?.description ?? ''}`);
        }
        if (method === 'Runtime.consoleAPICalled') {
            const said = params.args.map(({ value, description }) => value ?? description).join(' ');
            this.complaints.push(`${params.type}: ${said}`);
        }
        if (method === 'Log.entryAdded') {
            const { level, source, text, url } = params.entry;
            this.complaints.push(`${level} (${source}): ${text} ${url ?? ''}`);
        }
        for (const listener of this.#listeners.get(method) ?? []) listener(params);
    }

    /** Waits for the next event of a kind. */
    next(method) {
        return new Promise((resolve) => {
            const listeners = this.#listeners.get(method) ?? new Set();
            this.#listeners.set(method, listeners);
            const listener = (params) => {
                listeners.delete(listener);
                resolve(params);
            };
            listeners.add(listener);
        });
    }

    async resize({ width, height, touch = false, scale = 1 }) {
        const metrics = { width, height, deviceScaleFactor: scale, mobile: touch };
        await this.send('Emulation.setDeviceMetricsOverride', metrics);
        await this.send('Emulation.setTouchEmulationEnabled', { enabled: touch });
    }

    async open(url) {
        const loaded = this.next('Page.loadEventFired');
        const { errorText } = await this.send('Page.navigate', { url });
        if (errorText) throw new Error(`${url}: ${errorText}`);
        await loaded;
    }

    /** Runs a function in the page and returns its result. */
    async run(code, ...values) {
        const expression = `(${code})(${values.map((value) => JSON.stringify(value)).join(', ')})`;
        const options = { expression, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await this.send('Runtime.evaluate', options);
        if (exceptionDetails) {
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        }
        return result.value;
    }

    /** Waits until a function in the page returns a truthy value, and returns that value. */
    async until(code, ...values) {
        const end = Date.now() + this.patience;
        for (;;) {
            const value = await this.run(code, ...values);
            if (value) return value;
            if (Date.now() > end) throw new Error(`expected within ${this.patience} ms: ${code}`);
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }

    async press(key, { alt = false, text } = {}) {
        const modifiers = alt ? 1 : 0;
        const event = { key, code: key, windowsVirtualKeyCode: keyCodes[key] ?? 0, modifiers };
        const content = text ?? (key === 'Enter' ? '\r' : undefined);
        const type = content ? 'keyDown' : 'rawKeyDown';
        await this.send('Input.dispatchKeyEvent', { type, text: content, ...event });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    }

    async type(text) {
        await this.send('Input.insertText', { text });
    }

    async click(selector) {
        const [x, y] = await this.run((selector) => {
            const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
            return [left + width / 2, top + height / 2];
        }, selector);
        const mouse = (type, more) => this.send('Input.dispatchMouseEvent', { type, x, y, ...more });
        await mouse('mouseMoved');
        await mouse('mousePressed', { button: 'left', clickCount: 1 });
        await mouse('mouseReleased', { button: 'left', clickCount: 1 });
    }

    /** Drags the mouse from one point of the screen to another. */
    async drag(from, to) {
        const left = { button: 'left', buttons: 1, clickCount: 1 };
        const mouse = (type, [x, y]) =>
            this.send('Input.dispatchMouseEvent', { type, x, y, ...left });
        await this.send('Input.setInterceptDrags', { enabled: true });
        const intercepted = this.next('Input.dragIntercepted');
        await mouse('mousePressed', from);
        await mouse('mouseMoved', from.map((value) => value + 6));
        await mouse('mouseMoved', from.map((value) => value + 12));
        const { data } = await intercepted;
        for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop']) {
            await this.send('Input.dispatchDragEvent', { type, x: to[0], y: to[1], data });
        }
        await mouse('mouseReleased', to);
        await this.send('Input.setInterceptDrags', { enabled: false });
    }

    async wheel(deltaY) {
        const [x, y] = await this.run(() => [innerWidth / 2, innerHeight * 0.6]);
        const wheel = { type: 'mouseWheel', x, y, deltaX: 0, deltaY };
        await this.send('Input.dispatchMouseEvent', wheel);
    }

    async screenshot() {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
        return Buffer.from(data, 'base64');
    }
}
