// Edits that are shown before the server has made them.

/**
 * A replica's sections with the edits of this reader that the server has not made yet: to be shown by a
 * `ListView` in place of the replica. After each message they are made again, by what they mean and not
 * by places, on what others have left: a row that is gone is not renamed, and one that is to stand before a
 * row that is gone stands at the end; one that is to stand before itself stays where it is. An edit is
 * forgotten when the replica has reached the version that the server answered, or when the server rejects it.
 *
 * Edits are `{ edit: 'add', section, text, before }`, `{ edit: 'rename', id, text }`,
 * `{ edit: 'move', id, section, before }` and `{ edit: 'remove', id }`. `section`, `id` and `before` are the
 * application's identifiers; `before` is null for the end. They are sent one after the other, in their order,
 * and one may be about a row that was added by another and has no identifier yet.
 */
export class OptimisticList {
    #replica;
    #options;
    #pending = [];
    #count = 0;
    #queue = Promise.resolve();
    /** The identifiers that the server gave to what was added here, by those that it had before. */
    #names = new Map();
    #identifiers = new WeakMap();
    #base = null;
    #sections = null;

    /**
     * @param options.identify returns the application's identifier of a payload.
     * @param options.textOf returns the text of a row's payload.
     * @param options.render returns the payload of a row: it is given `{ id, text }`, and the payload until
     * now where there is one.
     * @param options.send sends an edit; its promise is fulfilled with `{ version, id }`.
     * @param options.onChange is called when `sections` are others without a message.
     * @param options.onRejected is called with an edit that the server has rejected, or that has not reached
     * it, and with the error.
     * @param options.onArrived is called with the number that an added row had here, and with the one that
     * it has now: for `ListView.adopt`.
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

    /** How many edits are shown that the replica has not. */
    get pendingCount() {
        this.#refresh();
        return this.#pending.length;
    }

    /** What there is, with the edits. Without any they are the replica's own. */
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

    /** Shows an edit and sends it. Fulfilled with the answer; with null where it was rejected. */
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
        // Where the row that it is about was rejected itself, that was told.
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

    /** An edit with the identifiers that the server gave. */
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
        // Two histories, as before and after a restart, or of a search and of everything, cannot be compared:
        // the next message counts as what has it.
        const here = this.version;
        return here !== null && historyOf(here) !== historyOf(version) && here !== seen;
    }

    #identify(part) {
        if (!this.#identifiers.has(part)) {
            this.#identifiers.set(part, part.p === null ? null : this.#options.identify(part.p));
        }
        return this.#identifiers.get(part);
    }

    /** The replica's items with their identifiers. */
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
                    // It came before the answer, or before all of its version did.
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
            // A row that is to stand before itself stays where it is, as on the server.
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

    /** The row that an edit has added; it may come before the answer, and is new and has the text then. */
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
