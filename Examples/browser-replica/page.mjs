// The parts of a page that the tests need: a tree of elements, the focus, and rows below each other.

const rowHeight = 10;

/** A page with one container. Elements have `moveBefore` only on request. */
export class Page {
    scrollingElement = { scrollTop: 0, clientHeight: 100 };
    /** The number of insertions and moves of elements. */
    placed = 0;

    constructor({ movesBefore = false } = {}) {
        this.movesBefore = movesBefore;
        this.body = new Element(this);
        this.container = new Element(this);
        this.activeElement = this.body;
        this.body.append(this.container);
    }

    createElement() {
        return new Element(this);
    }
}

export class Element extends EventTarget {
    parentNode = null;
    children = [];
    dataset = {};
    attributes = {};
    hidden = false;
    style = {};
    #html = '';

    constructor(page) {
        super();
        this.ownerDocument = page;
        if (page.movesBefore) this.moveBefore = (child, next) => this.#put(child, next);
    }

    get isConnected() {
        return this.ownerDocument.body.contains(this);
    }

    get innerHTML() {
        return this.#html;
    }

    /** Makes one child for each tag; tags cannot be nested. */
    set innerHTML(html) {
        this.replaceChildren();
        this.#html = html;
        for (const _ of html.matchAll(/<[a-z]/g)) this.append(new Element(this.ownerDocument));
    }

    setAttribute(name, value) {
        this.attributes[name] = value;
    }

    getAttribute(name) {
        return this.attributes[name] ?? null;
    }

    contains(other) {
        for (; other; other = other.parentNode) if (other === this) return true;
        return false;
    }

    replaceChildren() {
        for (const child of [...this.children]) child.remove();
    }

    append(...children) {
        for (const child of children) this.#put(child, null);
    }

    insertBefore(child, next) {
        child.remove();
        this.#put(child, next);
    }

    #put(child, next) {
        const siblings = child.parentNode?.children;
        siblings?.splice(siblings.indexOf(child), 1);
        const at = next ? this.children.indexOf(next) : this.children.length;
        if (at < 0) throw new Error('not a child of this element');
        this.children.splice(at, 0, child);
        child.parentNode = this;
        this.ownerDocument.placed += 1;
    }

    remove() {
        const page = this.ownerDocument;
        if (this.contains(page.activeElement)) page.activeElement = page.body;
        this.parentNode?.children.splice(this.parentNode.children.indexOf(this), 1);
        this.parentNode = null;
    }

    focus() {
        if (this.isConnected) this.ownerDocument.activeElement = this;
    }

    setSelectionRange(start, end) {
        this.selection = [start, end];
    }

    get #height() {
        const { role } = this.attributes;
        if (role === 'listitem' || role === 'heading') return this.hidden ? 0 : rowHeight;
        const { paddingTop, paddingBottom } = this.style;
        const padding = (parseFloat(paddingTop) || 0) + (parseFloat(paddingBottom) || 0);
        return this.children.reduce((sum, child) => sum + child.#height, padding);
    }

    getBoundingClientRect() {
        let top = -this.ownerDocument.scrollingElement.scrollTop;
        for (let node = this; node.parentNode; node = node.parentNode) {
            top += parseFloat(node.parentNode.style.paddingTop) || 0;
            for (const child of node.parentNode.children) {
                if (child === node) break;
                top += child.#height;
            }
        }
        return { left: 0, top, bottom: top + this.#height, height: this.#height };
    }
}
