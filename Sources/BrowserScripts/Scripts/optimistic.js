// Edits that are shown before the server has applied them.

/**
 * A replica's sections with the pending edits of this reader, which the server has not applied yet. A
 * `ListView` can show it like a replica. After each message the pending edits are applied to the new
 * state, by identifier and not by index: renaming a removed row has no effect, a row that moves before a
 * removed row moves to the end, and a row that moves before itself stays. An edit is pending until the
 * replica has reached the version that the server returned, or until the server rejects it.
 *
 * Edits are `{ edit: 'add', section, text, before }`, `{ edit: 'rename', id, text }`,
 * `{ edit: 'move', id, section, before }` and `{ edit: 'remove', id }`. `section`, `id` and `before` are
 * the application's identifiers; `before` is null for the end. Edits are sent one at a time, in order.
 * An edit may refer to a row that another pending edit adds and that has no identifier yet.
 */
export class OptimisticList {
    #replica;
    #options;
    #pending = [];
    #count = 0;
    #queue = Promise.resolve();
    /** The server's identifiers of added rows, by their temporary identifiers. */
    #names = new Map();
    #identifiers = new WeakMap();
    #base = null;
    #sections = null;

    /**
     * @param options.identify returns the application's identifier in a payload.
     * @param options.textOf returns the text of a row's payload.
     * @param options.render returns the payload of a row. Its arguments are `{ id, text }` and the
     * previous payload, or null.
     * @param options.send sends an edit; its promise is fulfilled with `{ version, id }`.
     * @param options.onChange is called when `sections` has changed without a message.
     * @param options.onRejected is called with an edit that the server has rejected, or that could not
     * be sent, and with the error.
     * @param options.onArrived is called with the temporary number of an added row, and with its number
     * in the replica: for `ListView.adopt`.
     */
    constructor(replica, options) {
        this.#replica = replica;
        const nothing = () => {};
        this.#options = { onChange: nothing, onRejected: nothing, onArrived: nothing, ...options };
    }

    get place() {
        return this.#replica.place;
    }

    get version() {
        return this.#replica.version;
    }

    /** The number of pending edits. */
    get pendingCount() {
        this.#refresh();
        return this.#pending.length;
    }

    /** The sections with the pending edits; without pending edits the replica's own sections. */
    get sections() {
        this.#refresh();
        return this.#sections;
    }

    #refresh() {
        const base = this.#replica.sections;
        if (this.#base === base && this.#sections) return;
        const isReached = ({ answer }) => answer !== null && this.#hasReached(answer);
        const reached = this.#pending.filter(isReached);
        this.#pending = this.#pending.filter((pending) => !reached.includes(pending));
        this.#base = base;
        this.#sections = this.#pending.length ? this.#edited(base) : base;
        for (const { id, answer } of reached) if (id) this.#arrive(id, answer.id);
    }

    /**
     * Shows an edit and sends it. Fulfilled with the server's response, or with null if the edit was
     * rejected.
     */
    perform(edit) {
        const id = edit.edit === 'add' ? `pending-${(this.#count += 1)}` : null;
        const known = new Set(edit.edit === 'add' ? this.#all().map(([id]) => id) : []);
        const pending = { edit, id, known, answer: null };
        this.#pending.push(pending);
        this.#change();
        const answer = this.#queue.then(() => this.#deliver(pending));
        this.#queue = answer.catch(() => {});
        return answer;
    }

    async #deliver(pending) {
        const edit = this.#named(pending.edit);
        // If the row itself was rejected, that has been reported already.
        const isLost = edit.edit !== 'add' && isTemporary(edit.id);
        try {
            if (!isLost) {
                const { version, id } = await this.#options.send(edit);
                if (pending.id) this.#names.set(pending.id, id);
                pending.answer = { version, id, seen: this.version };
            }
        } catch (error) {
            this.#options.onRejected(pending.edit, error);
        }
        if (!pending.answer) this.#pending = this.#pending.filter((other) => other !== pending);
        this.#change();
        return pending.answer;
    }

    /** Returns the edit with the server's identifiers. */
    #named(edit) {
        const named = { ...edit };
        if ('id' in edit) named.id = this.#name(edit.id);
        if ('before' in edit) named.before = this.#name(edit.before);
        if (isTemporary(named.before)) named.before = null;
        return named;
    }

    #change() {
        this.#sections = null;
        this.#options.onChange();
    }

    #name(id) {
        return this.#names.get(id) ?? id;
    }

    #hasReached({ version, seen }) {
        if (this.#replica.hasReached(version)) return true;
        // Versions of two histories cannot be compared, for example before and after a restart, or of a
        // search and of the whole list. The next message counts as the one that contains the edit.
        const here = this.version;
        return here !== null && historyOf(here) !== historyOf(version) && here !== seen;
    }

    #identify(part) {
        if (!this.#identifiers.has(part)) {
            this.#identifiers.set(part, part.p === null ? null : this.#options.identify(part.p));
        }
        return this.#identifiers.get(part);
    }

    /** Returns the replica's items with their identifiers. */
    #all() {
        const items = this.#replica.sections.flatMap((section) => section.items);
        return items.map((item) => [this.#identify(item), item]);
    }

    #arrive(id, name) {
        const found = this.#all().find(([id]) => id === name);
        if (found) this.#options.onArrived(id, found[1].n);
    }

    #edited(base) {
        const sections = base.map(({ n, p, items }) => ({ n, p, items: [...items] }));
        const copies = new Map(base.map((section, at) => [this.#identify(section), sections[at]]));
        for (const pending of this.#pending) {
            const { edit, id } = pending;
            if (edit.edit === 'add') {
                const there = this.#twin(pending);
                if (there) {
                    // The row arrived before the response, or before the rest of its version.
                    this.#names.set(id, this.#identify(there));
                    this.#options.onArrived(id, there.n);
                    continue;
                }
                const item = { n: id, p: this.#options.render({ id, text: edit.text }, null) };
                this.#insert(copies.get(edit.section), item, edit.before);
                continue;
            }
            this.#edit(edit, sections, copies);
        }
        return sections;
    }

    #edit(edit, sections, copies) {
        const id = this.#name(edit.id);
        const isIt = (item) => this.#identify(item) === id || item.n === edit.id;
        const section = sections.find(({ items }) => items.some(isIt));
        if (!section) return;
        const at = section.items.findIndex(isIt);
        const item = section.items[at];
        if (edit.edit === 'rename') {
            const p = this.#options.render({ id, text: edit.text }, item.p);
            section.items[at] = { n: item.n, p };
        } else if (edit.edit === 'remove') {
            section.items.splice(at, 1);
        } else if (copies.has(edit.section) && this.#name(edit.before) !== id) {
            // A row that moves before itself stays, as on the server.
            section.items.splice(at, 1);
            this.#insert(copies.get(edit.section), item, edit.before);
        }
    }

    #insert(section, item, before) {
        if (!section) return;
        const name = before === null ? null : this.#name(before);
        const isNext = (other) => this.#identify(other) === name || other.n === before;
        const at = name === null ? -1 : section.items.findIndex(isNext);
        section.items.splice(at < 0 ? section.items.length : at, 0, item);
    }

    /**
     * Returns the row that an edit has added. Before the response arrives, it is a new row with the
     * edit's text.
     */
    #twin({ edit, id, known, answer }) {
        const others = new Set([...this.#names].flatMap(([old, name]) => (old === id ? [] : [name])));
        const isTwin = ([name, item]) =>
            answer
                ? name === answer.id
                : !known.has(name) && !others.has(name) && this.#options.textOf(item.p) === edit.text;
        return this.#all().find(isTwin)?.[1];
    }
}

const isTemporary = (id) => typeof id === 'string' && id.startsWith('pending-');
const historyOf = (version) => version.split('.')[0].toLowerCase();
