import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Replica } from './replica.js';
import { vectors, written } from './vectors.mjs';

/** The code of the error that a message gives; null for none. */
const receive = (replica, message) => {
    try {
        replica.apply(message);
        return null;
    } catch (error) {
        return error.code ?? error;
    }
};

test('a replica has what that in Swift has', () => {
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

test('what is no message is unreadable', () => {
    const marks = ['closed', 'upToDate'].map((kind) => [kind, { version: '0000000000c0ffee.1' }]);
    for (const message of [null, 1, 'x', [], {}, { reset: null }, Object.fromEntries(marks)]) {
        assert.equal(receive(new Replica(), message), 'unreadable', JSON.stringify(message));
    }
    const head = { version: '0000000000c0ffee.1', reason: '', digest: '0'.repeat(32) };
    const reset = (p) => ({ reset: { ...head, sections: [{ n: 1, p }] } });
    assert.equal(receive(new Replica(), reset('\ud800')), 'unreadable');
    assert.equal(receive(new Replica(), reset('\ud83d\ude00')), 'otherDigest');
});

test('who is given everything after the end is not at the end', () => {
    const [reset, , , , mark, closed] = vectors[0].messages;
    const replica = new Replica();
    for (const message of vectors[0].messages) replica.apply(message);
    assert.ok(mark.upToDate && closed.closed && replica.isClosed);
    assert.equal(replica.version, '0000000000c0ffee.2');
    replica.apply(reset);
    assert.ok(!replica.isClosed);
});
