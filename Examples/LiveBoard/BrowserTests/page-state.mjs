// Functions that run in the page and compare its rows with the server's state.

/** Returns the page's rows and the server's; `null` if their versions differ. */
export async function compare(name) {
    const withoutStyle = (element) => {
        const copy = element.cloneNode(true);
        for (const styled of copy.querySelectorAll('[style]')) styled.removeAttribute('style');
        return copy.outerHTML;
    };
    const parsed = (html) => {
        const template = document.createElement('template');
        template.innerHTML = html;
        return template.innerHTML;
    };
    const { digestOf, Part } = await import('/assets/digest.js');
    const { reset: snapshot } = await (await fetch(`/lists/${name}/snapshot`, { cache: 'no-store' })).json();
    // Nothing from here on may await: the page would change meanwhile.
    const { version, digest, pending } = document.querySelector('#version').dataset;
    if (version !== snapshot.version) return null;
    // The page shows pending edits that the server does not have yet.
    if (pending !== '0') return null;
    const groups = [...document.querySelectorAll('.list > [role=group]')];
    const seen = groups.map((group) => {
        const [heading, list] = group.children;
        const rows = [...list.children];
        const items = rows.map((row) => [row.dataset.n, withoutStyle(row.firstElementChild)]);
        return [group.dataset.n, heading.innerHTML, items];
    });
    const expected = (snapshot.sections ?? []).map(({ n, p, items = [] }) => [
        `${n}`,
        parsed(p ?? ''),
        items.map(([n, p]) => [`${n}`, parsed(p)]),
    ]);
    const part = ({ n, p = null, items = [] }) =>
        new Part(n, p, items.map(([n, p = null]) => new Part(n, p)));
    return {
        version: snapshot.version,
        isSame: JSON.stringify(seen) === JSON.stringify(expected),
        seen,
        expected,
        digests: [digest, snapshot.digest, digestOf((snapshot.sections ?? []).map(part))],
        rows: expected.reduce((sum, [, , items]) => sum + items.length, 0),
    };
}

/** Counts from now on how often an existing row loses the focus. */
export function watchFocus() {
    const watch = { frames: 0, lost: 0, chosen: 0, n: null };
    window.watch = watch;
    const look = () => {
        const row = watch.n && document.querySelector(`[role=listitem][data-n="${watch.n}"]`);
        if (row) {
            watch.frames += 1;
            if (document.activeElement !== row) watch.lost += 1;
            if (document.activeElement !== row) row.focus({ preventScroll: true });
        } else {
            const next = document.querySelectorAll('[role=listitem]')[40];
            watch.n = next?.dataset.n ?? null;
            next?.focus({ preventScroll: true });
            watch.chosen += 1;
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}

/** Records the states of the connection from now on. */
export function watchConnection() {
    window.states = [document.documentElement.dataset.connection];
    new MutationObserver(() => {
        const state = document.documentElement.dataset.connection;
        if (window.states.at(-1) !== state) window.states.push(state);
    }).observe(document.documentElement, { attributeFilter: ['data-connection'] });
}

/** Returns the visible rows with their positions, and the scroll position of the list. */
export function look() {
    const scroller = document.querySelector('#rows');
    const { top, bottom } = scroller.getBoundingClientRect();
    const rows = [...document.querySelectorAll('[role=listitem]')]
        .map((row) => [row.firstElementChild.dataset.id, row.getBoundingClientRect(), row])
        .filter(([, rect]) => rect.bottom > top + 70 && rect.top < bottom - 1)
        .map(([id, rect, row]) => ({ id, top: rect.top - top, n: row.dataset.n }));
    return {
        rows,
        scrollTop: scroller.scrollTop,
        scrollHeight: scroller.scrollHeight,
        height: scroller.clientHeight,
        count: document.querySelectorAll('[role=listitem]').length,
        focused: document.activeElement?.firstElementChild?.dataset?.id ?? null,
    };
}
