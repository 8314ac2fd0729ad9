// @module-tag tools
import { describe, expect, it } from 'vitest';
import type { DeskTurn, DeskWord } from '../../../../src/protocol/desk.ts';
import { useChromium } from '../../../helpers/chromium.ts';
import { type EditorOptions, openEditor } from './editorPage.ts';

const browser = useChromium();

/** Returns turns of which each word takes one second. */
function turnsOf(...texts: string[]): DeskTurn[] {
  let ts = 0;
  return texts.map((text, speaker) => ({
    speaker: speaker % 2,
    text,
    words: [...text.matchAll(/\w+/g)].map(
      ({ 0: word, index }): DeskWord => [index, index + word.length, ts, ++ts],
    ),
  }));
}

async function open(turns: readonly DeskTurn[], options?: EditorOptions) {
  const { page } = await openEditor(browser(), turns, options);
  const run = (script: string) => page.evaluate(script);
  await run('editor.focus()');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    page,
    run,
    press,
    type: (text: string) => page.keyboard.type(text),
    field: (name: 'Find' | 'Replace with') => page.getByLabel(name, { exact: true }),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    said: (text: string) => page.locator('output', { hasText: text }).waitFor(),
    /** Name of the field with the focus; empty in the text. */
    focused: () => run("document.activeElement.name ?? ''"),
    selected: () => run('[editor.view.state.selection.main.from, editor.view.state.selection.main.to]'),
    texts: async () => {
      const found = (await run('editor.turns()')) as DeskTurn[];
      return found.map(
        ({ text, words }) =>
          `${text} | ${words.map(([from, to, ts]) => `${text.slice(from, to)}@${ts}`).join(' ')}`,
      );
    },
  };
}

describe('the search of the editor', () => {
  it('finds by keys, counts, and returns to the text at the found place', async () => {
    const { press, type, said, selected, focused, run } = await open(turnsOf('one two', 'two Two three'));
    await press('Control+f');
    await type('two');
    await said('3 found');
    await press('Enter');
    await said('1 of 3');
    await press('Shift+Enter');
    await said('3 of 3');
    await type('twox');
    await said('Not found');
    await press('Backspace', 'Enter', 'Enter');
    await said('2 of 3');
    expect(await focused()).toBe('search');
    await press('Escape');
    expect(await selected()).toEqual([8, 11]);
    await type('2');
    expect(await run('editor.turns().map(({ text }) => text)')).toEqual(['one two', '2 Two three']);
  });

  it('has the selection in its field, and keys lead to the field of the replacement', async () => {
    const { press, field, focused, run } = await open(turnsOf('one (two)', 'two'));
    await run("editor.run('findNext')");
    expect(await focused()).toBe('search');
    await press('Escape');
    await run("editor.run('replace')");
    expect(await focused()).toBe('search');
    await press('Escape', 'Control+Home', 'Control+ArrowRight');
    await press('Shift+End', 'Control+f');
    expect(await field('Find').inputValue()).toMatch(/\(two\)$/);
    await field('Replace with').fill('2');
    await run("editor.focus(); editor.run('replace')");
    expect([await focused(), await field('Replace with').inputValue()]).toEqual(['replace', '2']);
    // A place that was found replaces no text that finds it.
    await field('Find').fill('wo');
    await press('Enter');
    await field('Replace with').focus();
    await run("editor.run('find')");
    expect(await field('Find').inputValue()).toBe('wo');
  });

  it('leads from what is found to its replacement by one Tab', async () => {
    const { press, type, focused, run } = await open(turnsOf('one two'));
    await press('Control+f');
    await type('two');
    await press('Tab');
    expect(await focused()).toBe('replace');
    await type('2');
    await press('Enter', 'Enter');
    expect(await run('editor.turns().map(({ text }) => text)')).toEqual(['one 2']);
  });

  it('minds case, whole words and regular expressions, and reports one that is invalid', async () => {
    const { press, type, button, said, field } = await open(turnsOf('Two twofold', 'two t.o'));
    await press('Control+f');
    await type('two');
    await said('3 found');
    await button('Match case').click();
    expect(await button('Match case').getAttribute('aria-pressed')).toBe('true');
    await said('2 found');
    await button('Whole words').click();
    await said('1 found');
    await button('Match case').click();
    await button('Whole words').click();
    await field('Find').fill('t.o');
    await said('1 found');
    await button('Regular expression').click();
    await said('4 found');
    await field('Find').fill('t(o');
    await said('Not a regular expression');
    expect(await field('Find').getAttribute('aria-invalid')).toBe('true');
  });

  it('replaces one place after the other by keys', async () => {
    const { press, type, run, said, texts } = await open(turnsOf('one two', 'two three'));
    await press('Control+f');
    await type('two');
    await run("editor.run('replace')");
    await type('2');
    await press('Enter', 'Enter');
    await said('1 of 1');
    expect(await texts()).toEqual(['one 2 | one@0', 'two three | two@2 three@3']);
    await press('Enter');
    await said('Not found');
    expect(await texts()).toEqual(['one 2 | one@0', '2 three | three@3']);
  });

  it('shows what it would replace everywhere; words that stay keep their times, and one step brings all back', async () => {
    const texts7 = Array.from({ length: 7 }, (_, index) => `one two ${index}`);
    const { press, type, run, page, texts, button } = await open(turnsOf(...texts7), {
      speakerNames: ['Ada'],
    });
    const before = await texts();
    await press('Control+f');
    await type('two');
    await run("editor.run('replace')");
    await type('Two!');
    await button('Replace all …').focus();
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Replace 7 places in 7 turns' });
    await dialog.waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toMatchObject({
      length: 5,
      0: expect.stringMatching(/^Ada, 0:00:01\s+one two → Two! 0$/),
      1: expect.stringMatching(/^Speaker 2, 0:00:04\s+one two → Two! 1$/),
    });
    await dialog.getByText('and 2 more places').waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await texts()).toEqual(before);
    await press('Enter');
    await dialog.locator('.primary:focus').waitFor();
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await texts())[1]).toBe('one Two! 1 | one@3 Two@4 1@5');
    expect(await page.evaluate("document.activeElement.closest('.search-panel') !== null")).toBe(true);
    await press('Escape', 'Control+z');
    expect(await texts()).toEqual(before);
  });

  it('neither splits nor joins turns by a replacement', async () => {
    const { press, type, run, button, texts, page } = await open(turnsOf('one two', 'three four'));
    const replaceAll = async (search: string, replacement: string) => {
      await press('Control+f');
      await page.getByLabel('Find', { exact: true }).fill(search);
      await run("editor.run('replace')");
      await page.getByLabel('Replace with').fill(replacement);
      await button('Replace all …').click();
      await page.getByRole('dialog').locator('button.primary:focus').waitFor();
      await press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await press('Control+f');
    await type('x');
    await button('Regular expression').click();
    await replaceAll(String.raw`(\w+)\s+(\w+)`, String.raw`$2\n$1`);
    const swapped = ['two\\none | ', 'four\\nthree | '];
    expect((await texts()).map(text => text.replace(/\|.*/, '| '))).toEqual(swapped);
    await replaceAll(String.raw`e(?=(\s))`, '$1');
    expect((await texts()).map(text => text.replace(/\|.*/, '| '))).toEqual(swapped);
    expect(await run('refused')).toEqual(['Not taken: a replacement may not split or join turns.']);
  });

  it('replaces nothing in a text that is read-only', async () => {
    const { press, type, said, field, button, run } = await open(turnsOf('one two'), { isReadOnly: true });
    await run("editor.run('replace')");
    await type('two');
    await press('Enter');
    await said('1 of 1');
    expect([await field('Replace with').count(), await button('Replace all …').count()]).toEqual([0, 0]);
  });

  it('counts up to a number in a long text', async () => {
    const { press, type, said } = await open(turnsOf(...Array(2600).fill('no one knows of one noise')));
    await press('Control+f');
    await type('noise');
    await said('2,600 found');
    await press('Enter', 'Enter', 'Shift+Enter', 'Shift+Enter');
    await said('2,600 of 2,600');
    await press('Control+a');
    await type('no');
    await said('7,800 of 7,800');
    await press('Control+a');
    await type('o');
    await said('9,999+ found');
    await press('Enter');
    await said(' of 9,999+');
  });
});

it('words of the vocabulary are not underlined as misspelt', async () => {
  const { page, type } = await open(turnsOf('Mr Quux, of Foobar.', 'quux'), {
    phrases: ['Ada Quux', 'Foobar'],
  });
  const known = page.locator('.cm-content [spellcheck=false]');
  expect(await known.allInnerTexts()).toEqual(['Quux', 'Foobar']);
  await type('Ada ');
  expect(await known.allInnerTexts()).toEqual(['Ada', 'Quux', 'Foobar']);
});
