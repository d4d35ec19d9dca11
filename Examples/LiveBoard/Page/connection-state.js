// The visible and audible state of the connection.

const words = {
    connecting: 'Connecting',
    open: 'Live',
    waiting: 'Waiting',
    paused: 'Paused',
    stopped: 'Stopped',
};

/** Shows the states that `follow` reports, and the time until the next attempt. */
export class ConnectionState {
    #element;
    #state;
    #countdown;
    #button;
    #timer = null;
    #said = null;

    constructor(page, onNow) {
        this.#element = page.querySelector('#connection');
        this.#state = page.querySelector('#state');
        this.#countdown = page.querySelector('#countdown');
        this.#button = page.querySelector('#now');
        this.#button.addEventListener('click', onNow);
    }

    show(state, failure, milliseconds) {
        clearInterval(this.#timer);
        // Repeated attempts still count as waiting, which a screen reader announces only once.
        const isRetry = state === 'connecting' && this.#element.dataset.state === 'waiting';
        if (!isRetry) {
            this.#element.dataset.state = state;
            if (this.#said !== words[state]) this.#state.textContent = words[state];
            this.#said = words[state];
        }
        this.#element.title = failure?.message ?? '';
        this.#button.hidden = state !== 'waiting';
        this.#countdown.textContent = '';
        if (state !== 'waiting') return;
        const end = performance.now() + milliseconds;
        const count = () => {
            const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
            this.#countdown.textContent = `${seconds} s`;
        };
        count();
        this.#timer = setInterval(count, 250);
    }
}
