// @module-tag tools
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DeskTurn, DeskWord } from '../../../../src/protocol/desk.ts';
import { useChromium } from '../../../helpers/chromium.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type EditorOptions, openEditor } from './editorPage.ts';

const browser = useChromium();

/** Returns turns of which each word takes one second; every fifth is uncertain. */
function turnsOf(...texts: string[]): DeskTurn[] {
  let ts = 0;
  return texts.map((text, index) => ({
    speaker: index % 2,
    text,
    words: [...text.matchAll(/[\p{L}\p{N}'’]+/gu)].map(
      ({ 0: word, index }): DeskWord => [index, index + word.length, ts, ++ts, ts % 5 === 0 ? 0.3 : 0.9],
    ),
  }));
}

async function open(turns: readonly DeskTurn[], options?: EditorOptions) {
  const opened = await openEditor(browser(), turns, options);
  const run = (script: string) => opened.page.evaluate(script);
  await run('editor.focus()');
  return { ...opened, run, texts: () => textsOf(opened.page) };
}

/** Returns the turns of the editor: speaker, text with the times of its words. */
async function textsOf(page: Page) {
  const turns = (await page.evaluate('editor.turns()')) as DeskTurn[];
  return turns.map(({ speaker, text, words }) => {
    const times = words.map(([from, to, ts]) => `${text.slice(from, to)}@${ts}`);
    return `${speaker} ${text} | ${times.join(' ')}`;
  });
}

const TWO = turnsOf('one two three', 'four five six');

describe('the editor of a transcript', () => {
  it('is styled under a strict policy, with names and times of the speakers, and has names for screen readers', async () => {
    const { page, complaints, run } = await open(TWO, { speakerNames: ['Ada'] });
    const box = page.getByRole('textbox', { name: 'Transcript' });
    expect(await box.getAttribute('aria-multiline')).toBe('true');
    expect(await box.getAttribute('aria-readonly')).toBe('false');
    const labels = page.locator('.cm-turn');
    expect(await labels.allTextContents()).toEqual(['Ada0:00:00', 'Speaker 20:00:03']);
    expect(await run("getComputedStyle(document.querySelector('.cm-turn')).position")).toBe('absolute');
    // The editor empties an announcement soon.
    await run(`window.said = [];
      const observer = new MutationObserver(records => {
        for (const { addedNodes } of records) for (const node of addedNodes) said.push(node.textContent.trim());
      });
      observer.observe(document.querySelector('.cm-announced'), { childList: true });`);
    for (const key of ['ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    await eventually(async () =>
      expect(((await run('said')) as string[]).filter(Boolean)).toEqual([
        'Speaker 2, 0:03, confidence 70 %',
        'Ada, 0:00, confidence 90 %',
      ]),
    );
    expect(complaints).toEqual([]);
  });

  it('splits and joins turns by keys, with their speakers and times', async () => {
    const { page, run, texts } = await open(TWO);
    await run('editor.goTo(1)');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Well, ');
    await run('editor.speakers.give(4)');
    expect(await texts()).toEqual([
      '0 one | one@0',
      '4 Well, two three | two@1 three@2',
      '1 four five six | four@3 five@4 six@5',
    ]);
    await run('editor.goTo(3)');
    await page.keyboard.press('Backspace');
    expect(await texts()).toEqual([
      '0 one | one@0',
      '4 Well, two three four five six | two@1 three@2 four@3 five@4 six@5',
    ]);
    for (let step = 0; step < 10; step++) await page.keyboard.press('Control+z');
    expect(await texts()).toEqual([
      '0 one two three | one@0 two@1 three@2',
      '1 four five six | four@3 five@4 six@5',
    ]);
    await run('editor.goTo(2)');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    expect((await texts()).length).toBe(1);
  });

  it('renames a speaker everywhere, joins speakers, and gives turns to new ones; each can be undone', async () => {
    const { page, run, texts } = await open(turnsOf('a', 'b', 'c', 'd'), { speakerNames: ['Ada'] });
    const name = (text: string, scope: string) => run(`editor.speakers.name('${text}', ${scope})`);
    const speakers = async () => (await texts()).map(text => Number(text[0]));
    const names = () => run('editor.speakers.list().map(({ name, turns }) => name + turns).join()');
    expect(await name('Ben ', '1')).toBe('Speaker 2 is Ben now.');
    expect(await names()).toBe('Ada2,Ben2');
    await run('editor.goTo(2)');
    expect(await name('Cem', "'selection'")).toBe('The turn is by Cem now.');
    expect([await names(), await speakers()]).toEqual(['Ada1,Ben2,Cem1', [0, 1, 2, 1]]);
    expect(await name('ben', '0')).toBe('The turn is by Ben now.');
    expect([await names(), await speakers()]).toEqual(['Ben3,Cem1', [1, 1, 2, 1]]);
    expect(await name('BEN', '1')).toBe('Ben is BEN now.');
    expect(await name('', '1')).toBe('BEN is Speaker 2 now.');
    expect(await name('', "'selection'")).toMatch(/without a name/);
    expect(await run('editor.speakers.give(1)')).toBe('The turn is by Speaker 2 now.');
    expect(await run('editor.speakers.give(1)')).toMatch(/^Nothing changes/);
    for (let step = 0; step < 4; step++) await page.keyboard.press('Control+z');
    expect([await names(), await speakers()]).toEqual(['Ada1,Ben2,Cem1', [0, 1, 2, 1]]);
    for (let step = 0; step < 2; step++) await page.keyboard.press('Control+z');
    expect([await names(), await speakers()]).toEqual(['Ada2,Speaker 22', [0, 1, 0, 1]]);
    await run('editor.setReadOnly(true)');
    expect(await name('Eve', '0')).toMatch(/cannot be changed/);
    expect(await names()).toBe('Ada2,Speaker 22');
  });

  it('joins the selected turns', async () => {
    const { page, run, texts } = await open(turnsOf('a ', 'b', '', 'c', 'd'));
    await run('editor.goTo(0)');
    for (let lines = 0; lines < 3; lines++) await page.keyboard.press('Shift+ArrowDown');
    await run("editor.run('merge')");
    expect(await texts()).toEqual(['0 a b c | a@0 b@1 c@2', '0 d | d@3']);
    await page.keyboard.press('Control+z');
    expect(await texts()).toHaveLength(5);
  });

  it('goes to uncertain words and to those without a time, and marks what cannot be understood', async () => {
    const { page, run, texts } = await open(turnsOf('a b c d e f g h i j'));
    const selected = () => run('editor.place().text');
    expect([await run("editor.run('nextDoubtful')"), await selected()]).toEqual([true, 'e']);
    expect([await run("editor.run('nextDoubtful')"), await selected()]).toEqual([true, 'j']);
    expect([await run("editor.run('nextDoubtful')"), await selected()]).toEqual([false, 'j']);
    expect([await run("editor.run('previousDoubtful')"), await selected()]).toEqual([true, 'e']);
    expect(await page.locator('.cm-uncertain').count()).toBe(0);
    await run('editor.markUncertain(true)');
    expect(await page.locator('.cm-uncertain').allTextContents()).toEqual(['e', 'j']);
    await page.keyboard.type('eel');
    await run('editor.goTo(0)');
    expect([await run("editor.run('nextUntimed')"), await selected()]).toEqual([true, 'eel']);
    await run("editor.run('inaudible')");
    expect(await texts()).toEqual(['0 a b c d [inaudible] f g h i j | a@0 b@1 c@2 d@3 f@5 g@6 h@7 i@8 j@9']);
    await run('editor.goTo(0)');
    expect(await run("editor.run('nextUntimed')")).toBe(false);
  });

  it('reports the time of a clicked word, and none when text is selected', async () => {
    const { page, run } = await open(TWO);
    const { x, y, width, height } = (await run(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelectorAll('.cm-line')[1].lastChild);
      return range.getBoundingClientRect().toJSON();
    })()`)) as { x: number; y: number; width: number; height: number };
    await page.mouse.click(x + width / 2, y + height / 2);
    expect(await run('clicked')).toEqual([4]);
    expect(await run('editor.place().ts')).toBe(4);
    await page.mouse.move(x + 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.mouse.click(x + width + 200, y + height / 2);
    expect(await run('clicked')).toEqual([4]);
  });

  it('marks the word that plays, and one only', async () => {
    const { page, run } = await open(TWO);
    const marked = async (script: string) => {
      await run(script);
      return page.locator('.cm-playing').allTextContents();
    };
    expect(await marked('editor.markPlaying(1.5)')).toEqual(['two']);
    expect(await marked('editor.markPlaying(4)')).toEqual(['five']);
    expect(await marked('editor.markPlaying(6.2)')).toEqual(['six']);
    expect(await marked('editor.markPlaying(9)')).toEqual([]);
    await run('editor.markPlaying(2)');
    expect(await marked('editor.markPlaying(undefined)')).toEqual([]);
  });

  it('can be read, copied and not changed when it is read-only', async () => {
    const { page, run, texts } = await open(TWO, { isReadOnly: true });
    const before = await texts();
    await page.keyboard.type('x');
    for (const key of ['Enter', 'Backspace', 'Delete', 'Control+x', 'Control+v'])
      await page.keyboard.press(key);
    for (const command of ['split', 'merge', 'inaudible']) await run(`editor.run('${command}')`);
    await run('editor.speakers.give(3)');
    expect(await texts()).toEqual(before);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    expect(await run('navigator.clipboard.readText()')).toBe('one two three\nfour five six');
    await run('editor.setReadOnly(false)');
    await page.keyboard.type('x');
    expect(await texts()).toEqual(['0 x | ']);
  });

  it('makes turns of pasted lines, without characters that the server does not take', async () => {
    const { page, run, texts } = await open(TWO);
    await run('editor.goTo(1)');
    await run(String.raw`navigator.clipboard.writeText('a\tb\u0007\r\n\r\nc\u2028d ')`);
    await page.keyboard.press('Control+v');
    expect(await texts()).toEqual([
      '0 one a b  | one@0',
      '0 c | ',
      '0 d two three | two@1 three@2',
      '1 four five six | four@3 five@4 six@5',
    ]);
  });

  it('shows each turn in the direction of its text', async () => {
    const { page, run } = await open(turnsOf('שלום לכולם', 'Hello all', '', '...'), { language: 'he' });
    const directions = () =>
      run("[...document.querySelectorAll('.cm-line')].map(line => getComputedStyle(line).direction)");
    expect(await directions()).toEqual(['rtl', 'ltr', 'rtl', 'rtl']);
    await page.keyboard.press('ArrowLeft');
    expect(await run('editor.view.state.selection.main.head')).toBe(1);
  });

  it('takes all turns from another text, and back by undoing', async () => {
    const { page, run, texts } = await open(TWO);
    const before = await texts();
    await run('editor.replaceAll([])');
    expect(await texts()).toEqual(['0  | ']);
    await page.keyboard.type('x');
    await run(`editor.replaceAll(${JSON.stringify(turnsOf('p q'))})`);
    expect(await texts()).toEqual(['0 p q | p@0 q@1']);
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z');
    expect(await texts()).toEqual(before);
  });

  it('keeps only visible lines in the document', async () => {
    const long = turnsOf(...[...Array(700)].map((_, index) => `word ${index} `.repeat(20)));
    const { page, run } = await open(long);
    const nodes = () => run("document.querySelectorAll('*').length") as Promise<number>;
    const counts: number[] = [];
    for (const ts of [0, 9000, 28_000]) {
      await run(`editor.goTo(${ts})`);
      await page.waitForTimeout(100);
      counts.push(await nodes());
    }
    expect(Math.max(...counts)).toBeLessThan(300);
    expect(Math.min(...counts)).toBeGreaterThan(15);
  });
});
