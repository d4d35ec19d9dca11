import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Replica } from '../../Sources/BrowserScripts/Scripts/replica.js';
import { vectors, written } from './vectors.mjs';

/** Applies a message; returns the code of the error, or null. */
const receive = (replica, message) => {
    try {
        replica.apply(message);
        return null;
    } catch (error) {
        return error.code ?? error;
    }
};

test('a replica has the same states as the replica in Swift', () => {
    assert.ok(vectors.length > 100);
    for (const { name, messages, states, digests, errors } of vectors) {
        const replica = new Replica();
        messages.forEach((message, at) => {
            const { version, sections } = replica;
            const code = receive(replica, message);
            assert.equal(code, errors[at], `${name}, message ${at}`);
            assert.deepEqual(written(replica.sections), states[at], `${name}, message ${at}`);
            assert.equal(replica.digest, digests[at], `${name}, message ${at}`);
            if (code === null) return;
            assert.ok(replica.version === version && replica.sections === sections, name);
        });
    }
});

test('invalid messages are unreadable', () => {
    const marks = ['closed', 'upToDate'].map((kind) => [kind, { version: '0000000000c0ffee.1' }]);
    for (const message of [null, 1, 'x', [], {}, { reset: null }, Object.fromEntries(marks)]) {
        assert.equal(receive(new Replica(), message), 'unreadable', JSON.stringify(message));
    }
    const head = { version: '0000000000c0ffee.1', reason: '', digest: '0'.repeat(32) };
    const reset = (p) => ({ reset: { ...head, sections: [{ n: 1, p }] } });
    assert.equal(receive(new Replica(), reset('\ud800')), 'unreadable');
    assert.equal(receive(new Replica(), reset('\ud83d\ude00')), 'otherDigest');
});

/** Yields each value in a message, with a function that replaces it. */
function* places(parent) {
    for (const key of Object.keys(parent)) {
        yield [parent, key];
        if (typeof parent[key] === 'object' && parent[key]) yield* places(parent[key]);
    }
}

test('whatever value a message contains, an error has a code and nothing changes', () => {
    const hostile = [
        { toString: null }, Object.create(null), [], [[]], [1, 2, 3, 4, 5], null, true, '', 'x',
        -1, 0.5, 1e300, NaN, 2 ** 53, { valueOf: null, length: 3 }, { from: 0, at: { toString: 1 } },
    ];
    let refused = 0;
    for (const { name, messages } of vectors.slice(0, 6)) {
        const replicaBefore = (at) => {
            const replica = new Replica();
            for (const message of messages.slice(0, at)) receive(replica, message);
            return replica;
        };
        for (const [at, message] of messages.entries()) {
            let replica = replicaBefore(at);
            let { version, sections } = replica;
            for (const [parent, key] of [...places(message)]) {
                const value = parent[key];
                for (const other of hostile) {
                    parent[key] = other;
                    const code = receive(replica, message);
                    parent[key] = value;
                    assert.ok(code === null || typeof code === 'string', `${name}, ${at}, ${key}: ${code}`);
                    if (code === null) {
                        replica = replicaBefore(at);
                        ({ version, sections } = replica);
                    }
                    assert.ok(replica.version === version && replica.sections === sections);
                    refused += code === null ? 0 : 1;
                }
            }
        }
    }
    assert.ok(refused > 1000);
});

test('an update can insert and remove any number of sections and items', () => {
    const count = 130_000;
    const version = (number) => `00000000000000aa.${number}`;
    const replica = new Replica();
    const { digest } = replica;
    replica.apply({ reset: { version: version(0), reason: '', digest } });
    const update = (number, lists) =>
        replica.apply({ update: { from: version(number), to: version(number + 1), ...lists } });
    const all = Array.from({ length: count }, (_, at) => at);
    update(0, { insertSections: all.map((at) => ({ at, n: at + 1 })) });
    update(1, { insertItems: all.map((at) => [0, at, at + 1]) });
    assert.equal(replica.sections.length, count);
    const odd = all.filter((at) => at % 2).reverse();
    update(2, { removeItems: odd.map((at) => [0, at]), removeSections: odd });
    assert.equal(replica.sections.length, count / 2);
    assert.ok(replica.sections[0].items.every(({ n }, at) => n === 2 * at + 1));
    assert.ok(replica.sections.every(({ n }, at) => n === 2 * at + 1));
});

test('a reset after the end reopens the replica', () => {
    const [reset, , , , mark, closed] = vectors[0].messages;
    const replica = new Replica();
    for (const message of vectors[0].messages) replica.apply(message);
    assert.ok(mark.upToDate && closed.closed && replica.isClosed);
    assert.equal(replica.version, '0000000000c0ffee.2');
    replica.apply(reset);
    assert.ok(!replica.isClosed);
});

test('a state contains every earlier write of its history', () => {
    const replica = new Replica();
    const version = (number, history = 'c0ffee') => `${history.padStart(16, '0')}.${number}`;
    assert.equal(replica.hasReached(version(0)), false);
    for (const message of vectors[0].messages) replica.apply(message);
    assert.equal(replica.version, version(2));
    const large = 2n ** 63n - 1n;
    const reached = [0, 1, 2, 3, 10, large].map((number) => replica.hasReached(version(number)));
    assert.deepEqual(reached, [true, true, true, false, false, false]);
    assert.ok(replica.hasReached(version(2, 'C0FFEE')) && !replica.hasReached(version(2, 'beef')));
    for (const wrong of [undefined, null, 2, '', '2', 'c0ffee.2', version(-1), version(large + 1n)]) {
        assert.throws(() => replica.hasReached(wrong), { code: 'unreadable' }, `${wrong}`);
    }
});
