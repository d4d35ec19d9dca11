// The connection to a hub.

/**
 * Reads server-sent events for as long as it is not stopped, and comes back with the `id` of the last
 * one that was taken in.
 *
 * @param onMessage is called with each message and its id. Where it throws, the connection joins anew:
 * what was not taken in cannot be followed on.
 * @param onState is called with 'connecting', 'open', 'waiting' (and why) and 'stopped'.
 * @param options.signal stops it; a server does so with status 204, as an `EventSource` expects.
 * @param options.version is what to resume from.
 * @param options.delay is how many milliseconds to wait when the connection has ended, twice as many
 * after each time that brought nothing, up to `options.longest`; between half of it and all, so that
 * not all readers come back at once.
 * @param options.fetch and `options.pause` stand in for the network and the clock.
 */
export async function follow(url, onMessage, onState = () => {}, options = {}) {
    const { signal, fetch = globalThis.fetch, pause = wait } = options;
    const { delay = 1000, longest = 30000 } = options;
    let last = options.version ?? '';
    let failures = 0;
    while (!signal?.aborted) {
        let failure;
        onState('connecting');
        try {
            const headers = { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) };
            const response = await fetch(url, { signal, headers, cache: 'no-store' });
            if (response.status === 204) break;
            if (!response.ok) throw new Error(`the server answered ${response.status}`);
            onState('open');
            for await (const { id, data } of events(response.body)) {
                try {
                    onMessage(JSON.parse(data), id);
                } catch (error) {
                    last = '';
                    throw error;
                }
                last = id || last;
                failures = 0;
            }
        } catch (error) {
            failure = error;
        }
        if (signal?.aborted) break;
        onState('waiting', failure);
        const most = Math.min(longest, delay * 2 ** failures++);
        await pause(most * (0.5 + Math.random() / 2), signal);
    }
    onState('stopped');
}

function wait(milliseconds, signal) {
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

/** The server-sent events of a stream of bytes, however it is cut: `{ id, data }`. */
export async function* events(stream) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let [rest, id, data] = ['', '', []];
    try {
        for (;;) {
            const { done, value } = await reader.read();
            // What is not ended by an empty line is no event.
            if (done) return;
            const text = decoder.decode(value, { stream: true });
            rest += text;
            // A long line is looked through once.
            if (!/[\r\n]/.test(text)) continue;
            // Whether a CR at the end is half of a CR LF is seen when more comes.
            const lines = rest.split(/\r\n|\n|\r(?!$)/);
            rest = lines.pop();
            for (const line of lines) {
                if (line === '') {
                    if (data.length) yield { id, data: data.join('\n') };
                    data = [];
                    continue;
                }
                const [, field, content] = /^([^:]*):? ?(.*)$/s.exec(line);
                if (field === 'data') data.push(content);
                if (field === 'id' && !content.includes('\0')) id = content;
            }
        }
    } finally {
        await reader.cancel().catch(() => {});
    }
}
