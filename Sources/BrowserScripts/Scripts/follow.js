// The connection to a hub.

/**
 * Reads server-sent events until it is stopped. When a connection ends, it reconnects with the `id` of
 * the last message that was applied.
 *
 * @param url the address, or a function that returns it for each connection.
 * @param onMessage is called with each message and its id. If it throws, the next connection joins
 * without a version and receives the whole state, because later messages depend on the one that failed.
 * @param onState is called with the state ('connecting', 'open', 'waiting' or 'stopped'), the reason for
 * 'waiting', and the duration in milliseconds. The reason is an `Error`, even if the server ended the
 * connection regularly. In the other states these are null and 0.
 * @param options.signal stops it. The server stops it with status 204, as for an `EventSource`.
 * @param options.version the version to resume from.
 * @param options.resumes is called before each connection. If it returns false, the connection joins
 * without a version, for example because the server at another address cannot continue from it.
 * @param options.delay the number of milliseconds to wait after a connection has ended. It doubles after
 * each connection without a message, up to `options.longest`. A random part of up to one half is
 * subtracted, so that readers do not all reconnect at the same time. The message `closed` does not
 * count.
 * @param options.silence the number of milliseconds without a byte after which a connection counts as
 * lost: a multiple of the hub's heartbeat. Without it, a lost network is not noticed.
 * @param options.onEvent is called with the type and the data of each event of another type than
 * `message`.
 * @param options.fetch and `options.pause` replace the network and the clock in tests.
 */
export async function follow(url, onMessage, onState = () => {}, options = {}) {
    const { signal, fetch = globalThis.fetch, pause = wait } = options;
    const { delay = 1000, longest = 30000, silence = Infinity } = options;
    const { onEvent = () => {}, resumes = () => true } = options;
    let last = options.version ?? '';
    let failures = 0;
    while (!signal?.aborted) {
        let failure = new Error('the server has ended the connection');
        onState('connecting', null, 0);
        try {
            if (!resumes()) last = '';
            const headers = { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) };
            const address = typeof url === 'function' ? url() : url;
            const response = await fetch(address, { signal, headers, cache: 'no-store' });
            if (response.status === 204) break;
            if (!response.ok) {
                await response.body?.cancel();
                throw new Error(`the server returned status ${response.status}`);
            }
            onState('open', null, 0);
            for await (const { id, type, data } of events(response.body, silence)) {
                if (type !== 'message') {
                    onEvent(type, data);
                    continue;
                }
                let message;
                try {
                    message = JSON.parse(data);
                    onMessage(message, id);
                } catch (error) {
                    last = '';
                    throw error;
                }
                last = id || last;
                if (!message?.closed) failures = 0;
            }
        } catch (error) {
            failure = error;
        }
        if (signal?.aborted) break;
        const most = Math.min(longest, delay * 2 ** failures++);
        const milliseconds = most * (0.5 + Math.random() / 2);
        onState('waiting', failure, milliseconds);
        await pause(milliseconds, signal);
    }
    onState('stopped', null, 0);
}

/** Waits for a number of milliseconds, or until the signal is aborted. */
export function wait(milliseconds, signal) {
    return new Promise((resolve) => {
        const done = () => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', done);
            resolve();
        };
        const timer = setTimeout(done, milliseconds);
        signal?.addEventListener('abort', done);
    });
}

/** Waits for `promise`, but at most for a number of milliseconds. */
async function within(milliseconds, promise) {
    if (milliseconds === Infinity) return promise;
    let timer;
    const late = new Promise((_, reject) => {
        const error = new Error(`nothing was received for ${milliseconds} ms`);
        timer = setTimeout(() => reject(error), milliseconds);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Parses the server-sent events of a stream of bytes, with chunks of any size: `{ id, type, data }`. */
export async function* events(stream, silence = Infinity) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let [rest, id, type, data] = ['', '', '', []];
    try {
        for (;;) {
            const { done, value } = await within(silence, reader.read());
            // An event that does not end with an empty line is incomplete.
            if (done) return;
            const text = decoder.decode(value, { stream: true });
            rest += text;
            // A long line must be searched only once.
            if (!/[\r\n]/.test(text)) continue;
            // A CR at the end may be half of a CR LF, so it is left for the next chunk.
            const lines = rest.split(/\r\n|\n|\r(?!$)/);
            rest = lines.pop();
            for (const line of lines) {
                if (line === '') {
                    if (data.length) yield { id, type: type || 'message', data: data.join('\n') };
                    [type, data] = ['', []];
                    continue;
                }
                const [, field, content] = /^([^:]*):? ?(.*)$/s.exec(line);
                if (field === 'data') data.push(content);
                if (field === 'event') type = content;
                if (field === 'id' && !content.includes('\0')) id = content;
            }
        }
    } finally {
        // Not awaited: a lost connection may never end.
        reader.cancel().catch(() => {});
    }
}
