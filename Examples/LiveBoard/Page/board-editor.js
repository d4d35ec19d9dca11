// Adding, renaming, moving and removing cards of a board by keyboard, pointer or form.

import { makeReachable } from './row-focus.js';

const escaped = (text) => {
    const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
    return text.replace(/[&<>"']/g, (mark) => marks[mark]);
};
const parsed = (html) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    return template.content.firstElementChild;
};

/** The functions with which an `OptimisticList` handles this server's cards. */
export const cards = {
    identify: (payload) => parsed(payload)?.dataset.id ?? null,
    textOf: (payload) => parsed(payload)?.querySelector('.text')?.textContent ?? '',
    render: ({ id, text }) =>
        `<div class="row card pending" data-id="${escaped(id)}">` +
        `<span class="text">${escaped(text)}</span></div>`,
    async send(edit) {
        const response = await fetch('/lists/board/edits', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(edit),
        });
        const answer = await response.json().catch(() => null);
        if (response.ok && answer) return answer;
        const message = answer?.error?.message ?? `the server responded with ${response.status}`;
        throw Object.assign(new Error(message), { code: answer?.error?.code });
    },
};

/** Edits the board that a session shows. */
export class BoardEditor {
    #page;
    #focus;
    #say;
    #session = null;
    #dragged = null;
    #mark = null;

    /** @param say announces a finished action to screen readers. */
    constructor(page, scroller, focus, say) {
        this.#page = page;
        this.#focus = focus;
        this.#say = say;
        page.querySelector('#add').addEventListener('submit', (event) => this.#add(event));
        scroller.addEventListener('click', (event) => this.#click(event));
        scroller.addEventListener('keydown', (event) => this.#press(event));
        scroller.addEventListener('submit', (event) => this.#save(event));
        scroller.addEventListener('dblclick', ({ target }) => {
            const row = this.#rowOf(target);
            if (row && !target.closest('.actions, .rename')) this.#rename(row);
        });
        scroller.addEventListener('dragstart', (event) => this.#dragStart(event));
        scroller.addEventListener('dragover', (event) => this.#dragOver(event));
        scroller.addEventListener('drop', (event) => this.#drop(event));
        scroller.addEventListener('dragend', () => this.#dragEnd());
    }

    /** Sets the session whose board to edit; null for none. */
    edit(session) {
        this.#session = session;
        this.#dragEnd();
        this.#page.querySelector('#add').hidden = session === null;
    }

    /** Puts a card into its row, and keeps the buttons and the form in the row. */
    fill = (row, payload) => {
        const card = parsed(payload) ?? this.#page.createElement('div');
        if (row.firstElementChild) return row.firstElementChild.replaceWith(card);
        const actions = this.#page.querySelector('#actions').content.cloneNode(true);
        row.append(card, actions);
        makeReachable(row);
        row.draggable = true;
        row.setAttribute('aria-describedby', 'keys');
    };

    /** Updates the list of columns after the board has changed. */
    update() {
        const select = this.#page.querySelector('#section');
        const columns = this.#columns().map(({ id, title }) => [id, title]);
        const there = [...select.options].map(({ value, text }) => [value, text]);
        if (JSON.stringify(columns) === JSON.stringify(there)) return;
        const { value } = select;
        select.replaceChildren(...columns.map(([id, title]) => new Option(title, id)));
        if (columns.some(([id]) => id === value)) select.value = value;
    }

    /** Restores the text of a card that could not be added. */
    giveBack(text) {
        const input = this.#page.querySelector('#text');
        if (!input.value) input.value = text;
    }

    #columns() {
        const groups = [...(this.#session?.container.children ?? [])];
        return groups.map((group) => {
            const [heading, list] = group.children;
            const id = heading.firstElementChild?.dataset.id;
            const title = heading.querySelector('.title')?.textContent ?? '';
            return { id, title, list, rows: [...list.children] };
        });
    }

    #rowOf(target) {
        const row = this.#session ? this.#focus.rowOf(target) : null;
        return row?.parentNode ? row : null;
    }

    #id(row) {
        return row?.firstElementChild?.dataset.id ?? null;
    }

    #text(row) {
        return row.querySelector('.text')?.textContent ?? '';
    }

    #perform(edit) {
        this.#session.list.perform(edit);
    }

    #add(event) {
        event.preventDefault();
        const [input, select] = ['#text', '#section'].map((name) => this.#page.querySelector(name));
        const text = input.value.trim();
        if (!text || !this.#session) return;
        input.value = '';
        this.#perform({ edit: 'add', section: select.value, text, before: null });
        this.#say(`${text} added to ${select.selectedOptions[0]?.text}`);
    }

    #click({ target }) {
        const action = target.closest('[data-action]')?.dataset.action;
        const row = action && this.#rowOf(target);
        if (!row) return;
        if (action === 'cancel') this.#cancel(row);
        else this.#act(row, action);
    }

    #press(event) {
        const row = this.#rowOf(event.target);
        if (!row) return;
        if (event.key === 'Escape' && event.target.closest('.rename')) return this.#cancel(row);
        if (event.target.matches('input')) return;
        const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
        const others = { Enter: 'rename', F2: 'rename', Delete: 'remove', Backspace: 'remove' };
        // On the row's buttons, keys keep their usual effect.
        const keys = event.altKey ? arrows : event.target === row ? others : {};
        const action = event.ctrlKey || event.metaKey || event.shiftKey ? null : keys[event.key];
        if (!action) {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (step && !event.altKey && event.target === row) this.#cross(event, row, step);
            return;
        }
        event.preventDefault();
        this.#act(row, action);
    }

    /** Moves the focus to the neighboring column. */
    #cross(event, row, step) {
        const columns = this.#columns();
        let at = columns.findIndex(({ rows }) => rows.includes(row));
        const index = columns[at].rows.indexOf(row);
        for (at += step; columns[at] && !columns[at].rows.length; at += step);
        if (!columns[at]) return;
        event.preventDefault();
        this.#focus.focus(columns[at].rows[index] ?? columns[at].rows.at(-1));
    }

    #act(row, action) {
        if (action === 'rename') return this.#rename(row);
        const columns = this.#columns();
        const at = columns.findIndex(({ rows }) => rows.includes(row));
        const { rows } = columns[at];
        const index = rows.indexOf(row);
        if (action === 'remove') {
            const next = rows[index + 1] ?? rows[index - 1] ?? columns.flatMap(({ rows }) => rows)[0];
            const hasFocus = row.contains(this.#page.activeElement);
            this.#say(`${this.#text(row)} removed`);
            this.#perform({ edit: 'remove', id: this.#id(row) });
            if (hasFocus && next !== row) this.#focus.focus(next);
            return;
        }
        const step = action === 'left' ? -1 : action === 'right' ? 1 : 0;
        const column = columns[at + step];
        if (!column) return;
        let before = column.rows[index];
        if (action === 'up') before = rows[index - 1];
        if (action === 'down') before = rows[index + 2];
        if ((action === 'up' && index === 0) || (action === 'down' && index === rows.length - 1)) return;
        this.#move(row, column, before);
    }

    #move(row, { id: section, title, rows }, before) {
        this.#perform({ edit: 'move', id: this.#id(row), section, before: this.#id(before) });
        const others = rows.filter((other) => other !== row);
        const place = before ? others.indexOf(before) + 1 : others.length + 1;
        this.#say(`${this.#text(row)}: ${title}, ${place} of ${others.length + 1}`);
        if (row.contains(this.#page.activeElement)) {
            requestAnimationFrame(() => row.scrollIntoView({ block: 'nearest' }));
        }
    }

    #rename(row) {
        if (row.querySelector('.rename')) return;
        row.append(this.#page.querySelector('#rename').content.cloneNode(true));
        row.draggable = false;
        row.classList.add('renamed');
        const input = row.querySelector('.rename input');
        input.value = this.#text(row);
        input.focus();
        input.select();
    }

    #save(event) {
        const row = this.#rowOf(event.target);
        if (!row) return;
        event.preventDefault();
        const text = row.querySelector('.rename input').value.trim();
        const id = this.#id(row);
        const isOther = text && text !== this.#text(row);
        this.#cancel(row);
        if (!isOther) return;
        this.#perform({ edit: 'rename', id, text });
        this.#say(`Renamed to ${text}`);
    }

    #cancel(row) {
        row.querySelector('.rename')?.remove();
        row.classList.remove('renamed');
        row.draggable = true;
        this.#focus.focus(row);
    }

    #dragStart(event) {
        const row = this.#rowOf(event.target);
        if (!row) return;
        this.#dragged = row;
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', this.#text(row));
        row.classList.add('dragged');
    }

    #dragOver(event) {
        if (!this.#dragged) return;
        const group = event.target.closest?.('[role=group]');
        const column = this.#columns().find(({ list }) => list.parentNode === group);
        if (!column) return this.#show(null);
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        const middle = (row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return (top + bottom) / 2;
        };
        const before = column.rows.find((row) => event.clientY < middle(row)) ?? null;
        this.#show({ column, before });
    }

    /** Marks the place at which the dragged card would be dropped. */
    #show(mark) {
        this.#page.querySelector('.drop-before')?.classList.remove('drop-before');
        this.#page.querySelector('.drop-end')?.classList.remove('drop-end');
        this.#mark = mark;
        if (mark?.before) mark.before.classList.add('drop-before');
        else mark?.column.list.classList.add('drop-end');
    }

    #drop(event) {
        const [row, mark] = [this.#dragged, this.#mark];
        this.#dragEnd();
        if (!row || !mark) return;
        event.preventDefault();
        // The card and the card after the mark may have been removed during the drag.
        const before = mark.before?.isConnected ? mark.before : null;
        if (!row.isConnected || before === row) return;
        this.#move(row, mark.column, before);
    }

    #dragEnd() {
        this.#dragged?.classList.remove('dragged');
        this.#dragged = null;
        this.#show(null);
    }
}
