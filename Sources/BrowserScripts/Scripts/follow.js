// The connection to a hub.

/**
 * Reads server-sent events for as long as it is not stopped, and comes back with the `id` of the last
 * one that was taken in.
 *
 * @param url may be a function, which is asked each time.
 * @param onMessage is called with each message and its id. Where it throws, the connection joins anew:
 * what was not taken in cannot be followed on.
 * @param onState is called with the state ('connecting', 'open', 'waiting' or 'stopped'), with why it is 'waiting',
 * which is an `Error` also where the server has ended the connection in good order, and with for how many
 * milliseconds. In the other states these are null and 0.
 * @param options.signal stops it; a server does so with status 204, as an `EventSource` expects.
 * @param options.version is what to resume from.
 * @param options.resumes is asked when the connection comes back; where it returns false, it joins anew, as
 * where another address gives something that what is there does not lead to.
 * @param options.delay is how many milliseconds to wait when the connection has ended, twice as many
 * after each time that brought nothing, up to `options.longest`; between half of it and all, so that
 * not all readers come back at once. A message that says that nothing comes any more brings nothing.
 * @param options.silence is after how many milliseconds without a byte a connection counts as lost: some
 * times the hub's heartbeat. Without it nobody notices a network that is gone.
 * @param options.onEvent is called with the type and the data of each event of another type than `message`.
 * @param options.fetch and `options.pause` stand in for the network and the clock.
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
                throw new Error(`the server answered ${response.status}`);
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

/** Waits so many milliseconds, or until the signal comes. */
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

/** Waits for `promise`, and no longer than so many milliseconds. */
async function within(milliseconds, promise) {
    if (milliseconds === Infinity) return promise;
    let timer;
    const late = new Promise((_, reject) => {
        const error = new Error(`nothing has come for ${milliseconds} ms`);
        timer = setTimeout(() => reject(error), milliseconds);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The server-sent events of a stream of bytes, however it is cut: `{ id, type, data }`. */
export async function* events(stream, silence = Infinity) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let [rest, id, type, data] = ['', '', '', []];
    try {
        for (;;) {
            const { done, value } = await within(silence, reader.read());
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
        // Not waited for: a connection that is lost may never end.
        reader.cancel().catch(() => {});
    }
}
