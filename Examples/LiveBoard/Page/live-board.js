// The page: the selected list, its figures, and messages.

import { BoardEditor, cards } from './board-editor.js';
import { ConnectionState } from './connection-state.js';
import { RowFocus, makeReachable } from './row-focus.js';
import { Session } from './session.js';
import { slide } from './replica.js';

const find = (name) => document.querySelector(name);
const [scroller, columns, empty] = ['#rows', '#columns', '#empty'].map(find);
const number = new Intl.NumberFormat('en');
const headings = {
    processes: ['Process', 'PID', 'CPU', 'Memory', 'Threads', 'State'],
    files: ['File', 'Size', 'Modified'],
};
/** The milliseconds after which a hidden tab ends its connection. */
const hiddenTimeout = 30_000;

const focus = new RowFocus(scroller);
const editor = new BoardEditor(document, scroller, focus, say);
let wake = null;
const connection = new ConnectionState(document, () => (session ? session.hurry() : wake?.()));
let lists = [];
let session = null;
/** The session whose rows are visible: the previous one until the new one has rows. */
let shown = null;
let headingCount = 0;

function say(text) {
    find('#said').textContent = text;
}

const problem = find('#problem');
let problemTimer;
function complain(text) {
    problem.firstElementChild.textContent = text;
    problem.hidden = false;
    clearTimeout(problemTimer);
    problemTimer = setTimeout(() => (problem.hidden = true), 10_000);
}
problem.lastElementChild.addEventListener('click', () => (problem.hidden = true));

const verbs = { add: 'added', rename: 'renamed', move: 'moved', remove: 'removed' };
function onRejected({ edit, text }, error) {
    // The edit may have been made, so the user should not repeat it. The list will show it if so.
    if (error.code === 'unconfirmed') return complain(`It is unknown whether the card was ${verbs[edit]}.`);
    const why = error instanceof TypeError ? 'the server cannot be reached' : error.message;
    const what = edit === 'rename' ? `to “${text}”` : '';
    complain(`The card was not ${verbs[edit]} ${what}`.trim() + `: ${why}`);
    if (edit === 'add') editor.giveBack(text);
}

/** Sets the length of the bar here, because the page's policy forbids styles in markup. */
function fillRow(row, payload) {
    row.innerHTML = payload;
    makeReachable(row);
    const cpu = row.querySelector('.cpu');
    cpu?.style.setProperty('--share', Math.min(1, (parseFloat(cpu.textContent) || 0) / 100));
}

let lastMotion = 0;
/** Does not animate long distances, or changes that follow each other quickly. */
function animate(element, dx, dy) {
    const now = performance.now();
    const isFast = now - lastMotion > 5 && now - lastMotion < 300;
    lastMotion = now;
    if (!isFast && Math.abs(dx) + Math.abs(dy) < 2 * innerHeight) slide(element, dx, dy);
}

function open(name) {
    const list = lists.find((list) => list.name === name) ?? lists[0];
    session?.stop();
    const container = document.createElement('div');
    container.className = `list ${list.name}`;
    session = new Session({
        name: list.name,
        container,
        scroller,
        animate,
        fill: list.editable ? editor.fill : fillRow,
        edits: list.editable ? { ...cards, onRejected } : null,
        onFirst: (session) => show(session, list),
        onShown: update,
        onState: (state, ...more) => {
            connection.show(state, ...more);
            document.documentElement.dataset.connection = state;
        },
    });
    scroller.setAttribute('aria-busy', 'true');
    for (const tab of find('#tabs').children) {
        const isChosen = tab.dataset.name === list.name;
        tab.setAttribute('aria-selected', isChosen);
        tab.tabIndex = isChosen ? 0 : -1;
        if (isChosen) scroller.setAttribute('aria-labelledby', tab.id);
    }
    document.title = `${list.title} · LiveBoard`;
    if (document.visibilityState === 'visible') session.start();
}

/** Replaces the visible rows with those of a session. */
function show(session, list) {
    const isOther = shown?.name !== list.name;
    shown?.container.remove();
    shown = session;
    const titles = headings[list.name] ?? [];
    columns.className = `columns ${list.name}`;
    columns.hidden = titles.length === 0;
    columns.replaceChildren(
        ...titles.map((textContent) => Object.assign(document.createElement('span'), { textContent })),
    );
    scroller.append(session.container);
    scroller.scrollTop = 0;
    editor.edit(list.editable ? session : null);
    if (isOther) say(`${list.title} is shown`);
}

function update({ list, replica, name }) {
    scroller.removeAttribute('aria-busy');
    const { sections, place } = list;
    const items = place?.items ?? sections.reduce((sum, { items }) => sum + items.length, 0);
    find('#rows-count').textContent = number.format(items);
    find('#sections-count').textContent = number.format(place?.sections ?? sections.length);
    const version = replica.version.split('.')[1];
    find('#version').textContent = number.format(BigInt(version));
    // Everyone with the same version has the same digest, except for pending edits.
    Object.assign(find('#version').dataset, {
        version: replica.version,
        digest: replica.digest,
        pending: list.pendingCount ?? 0,
    });
    find('#version').title = `${replica.version}\ndigest ${replica.digest}`;
    empty.hidden = items > 0;
    // The heading names its group.
    for (const group of shown.container.children) {
        const [heading] = group.children;
        heading.id ||= `heading-${(headingCount += 1)}`;
        if (!group.hasAttribute('aria-labelledby')) group.setAttribute('aria-labelledby', heading.id);
    }
    focus.update();
    if (name === 'board') editor.update();
}

let hiddenTimer;
document.addEventListener('visibilitychange', () => {
    clearTimeout(hiddenTimer);
    if (document.visibilityState === 'visible') {
        session?.start();
        session?.hurry();
    } else {
        hiddenTimer = setTimeout(() => session?.pause(), hiddenTimeout);
    }
});
addEventListener('online', () => session?.hurry());
// A page in the browser's back-forward cache must not keep a connection.
addEventListener('pagehide', () => session?.pause());
addEventListener('pageshow', ({ persisted }) => persisted && session?.start());
new ResizeObserver(() => session?.resize()).observe(scroller);

function choose(tab, focuses = false) {
    history.replaceState(null, '', `#${tab.dataset.name}`);
    if (tab.dataset.name !== session?.name) open(tab.dataset.name);
    if (focuses) tab.focus();
}
const tabs = find('#tabs');
addEventListener('hashchange', () => {
    const tab = [...tabs.children].find(({ dataset }) => `#${dataset.name}` === location.hash);
    if (tab) choose(tab);
});
tabs.addEventListener('click', ({ target }) => {
    const tab = target.closest('[role=tab]');
    if (tab) choose(tab);
});
tabs.addEventListener('keydown', (event) => {
    const all = [...tabs.children];
    const at = all.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(all.at(next % all.length), true);
});

async function begin() {
    for (let milliseconds = 500; ; milliseconds = Math.min(15_000, 2 * milliseconds)) {
        try {
            const response = await fetch('/lists');
            if (!response.ok) throw new Error(`the server responded with ${response.status}`);
            lists = await response.json();
            break;
        } catch (error) {
            connection.show('waiting', error, milliseconds);
            await new Promise((resolve) => {
                wake = resolve;
                setTimeout(resolve, milliseconds);
            });
        }
    }
    tabs.replaceChildren(
        ...lists.map(({ name, title }) => {
            const tab = document.createElement('button');
            Object.assign(tab, { type: 'button', id: `tab-${name}`, textContent: title });
            tab.dataset.name = name;
            tab.setAttribute('role', 'tab');
            tab.setAttribute('aria-controls', 'rows');
            return tab;
        }),
    );
    open(location.hash.slice(1));
}
begin();
