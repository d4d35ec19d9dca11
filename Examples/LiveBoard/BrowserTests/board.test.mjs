// Editing the board.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertQuiet, assertSame, narrow, opened, serving, wide } from './setting.mjs';

/** Runs in the page: returns the texts of its cards, by column. */
const texts = () =>
    [...document.querySelectorAll('[role=list]')].map((list) =>
        [...list.querySelectorAll('.text')].map((text) => text.textContent),
    );
/** Runs in the page: returns whether a column has a card, optionally at a place. */
const hasCard = (column, text, place) => {
    const list = document.querySelectorAll('[role=list]')[column];
    const all = [...list.querySelectorAll('.text')].map((element) => element.textContent);
    return place === undefined ? all.includes(text) : all.at(place) === text;
};
const hasNoCard = (text) =>
    [...document.querySelectorAll('.text')].every((element) => element.textContent !== text);
const focusedText = () => document.activeElement.querySelector('.text')?.textContent;
const hasFocus = (selector) => document.activeElement.matches(selector);

test('edits of cards appear in all browsers, and failed edits are undone', async (context) => {
    const { wire, address } = await serving(context);
    const pages = [await opened(address('board'), wide), await opened(address('board'), narrow)];
    const [page] = pages;
    const both = async (holds, ...values) => {
        for (const page of pages) {
            await page.until(holds, ...values);
            await assertSame(page, 'board');
        }
    };
    const text = 'Feed the <cat> & "dog"';
    await page.click('#text');
    await page.type(text);
    await page.press('Enter');
    await both(hasCard, 0, text, -1);
    assert.ok(await page.run(hasFocus, '#text'), 'the form is ready for another card');

    await page.run((text) => {
        const all = [...document.querySelectorAll('.text')];
        all.find((element) => element.textContent === text).closest('[role=listitem]').focus();
    }, text);
    await page.press('ArrowRight', { alt: true });
    await both(hasCard, 1, text);
    assert.equal(await page.run(focusedText), text);
    await page.press('ArrowUp', { alt: true });
    await page.press('Enter');
    await page.until(hasFocus, '.rename input');
    await page.run(() => document.activeElement.select());
    await page.type('Feed both');
    await page.press('Enter');
    await both(hasCard, 1, 'Feed both');
    assert.equal(await page.run(focusedText), 'Feed both');
    await page.press('Delete');
    await both(hasNoCard, 'Feed both');
    assert.ok(await page.run(hasFocus, '[role=listitem]'), 'the next card has the focus');

    // Drags a card to the top of the last column.
    const [from, to] = await page.run(() => {
        const lists = document.querySelectorAll('[role=list]');
        return [lists[0], lists[2]].map((list) => {
            const { left, top, width } = list.firstElementChild.getBoundingClientRect();
            return [left + width / 3, top + 8];
        });
    });
    const [[dragged]] = await page.run(texts);
    await page.drag(from, to);
    await both(hasCard, 2, dragged, 0);

    // Without a network, the page undoes the edit and shows an error.
    wire.target = null;
    wire.cut();
    await page.click('#text');
    await page.type('Never');
    await page.press('Enter');
    await page.until(() => !document.querySelector('#problem').hidden);
    assert.match(await page.run(() => document.querySelector('#problem').textContent), /not added/);
    await page.until(hasNoCard, 'Never');
    assert.equal(await page.run(() => document.querySelector('#text').value), 'Never');
    for (const page of pages) assertQuiet(page, { hadOutage: true });
});

test('the direction and the accents of a text stay inside its card', async (context) => {
    const { address } = await serving(context);
    const page = await opened(address('board'), wide);
    const foreign = ['\u202edirection', `e${'\u0301'.repeat(400)}`];
    for (const text of foreign) {
        await page.click('#text');
        await page.type(text);
        await page.press('Enter');
        await page.until(hasCard, 0, text, -1);
    }
    const boxes = await page.run(() =>
        [...document.querySelectorAll('.card .text')].map((element) => {
            const [text] = element.childNodes;
            const place = (at) => {
                const range = document.createRange();
                range.setStart(text, at);
                range.setEnd(text, at + 1);
                return range.getBoundingClientRect().left;
            };
            const { overflowX, overflowY } = getComputedStyle(element);
            return {
                text: text.data,
                isReversed: place(1) > place(2),
                height: element.getBoundingClientRect().height,
                clips: overflowX === 'hidden' && overflowY === 'hidden',
            };
        }),
    );
    assert.ok(boxes.length > foreign.length);
    for (const { text, isReversed, height, clips } of boxes) {
        assert.equal(isReversed, text === foreign[0], text);
        assert.equal(height, boxes[0].height, text);
        assert.ok(clips, text);
    }
    assertQuiet(page);
});
