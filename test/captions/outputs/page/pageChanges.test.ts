import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { CaptionStep } from '../../../../src/captions/captionStep.ts';
import { captionSteps } from '../../../../src/captions/captionSteps.ts';
import { initialPageWriter, pageChanges } from '../../../../src/captions/outputs/page/pageChanges.ts';
import {
  emptyPageText,
  nextPageText,
  PAGE_TEXT_LIMITS,
  type PageText,
} from '../../../../src/captions/outputs/page/pageText.ts';
import { captionStory, storyText } from '../../../helpers/captionStory.ts';
import { spokenStory } from '../../../helpers/spokenStory.ts';
import { says } from './pageClient.ts';

/** Returns the texts after each step. */
function textsAfter(steps: readonly CaptionStep[]): readonly PageText[] {
  let writer = initialPageWriter;
  let text = emptyPageText;
  return steps.map(step => {
    const { state, changes } = pageChanges(writer, step);
    writer = state;
    text = changes.reduce(nextPageText, text);
    return text;
  });
}

const linesOf = (text: PageText | undefined) => text?.paragraphs.map(paragraph => paragraph.text);
const word = (id: number, text: string, more = {}) => ({ id, text, ...more });
const words = (...added: ReturnType<typeof word>[]): CaptionStep => ({
  type: 'words',
  added,
  tail: [],
  wording: new Map(),
});

describe('the text of the page', () => {
  test('only grows at its end, but for earlier paragraphs, which take their final form once', async () => {
    await fc.assert(
      fc.asyncProperty(spokenStory(), async ({ events }) => {
        const steps = await lastValueFrom(from(events).pipe(captionSteps(), toArray()));
        const finished = new Map<number, string>();
        let before: PageText = emptyPageText;
        for (const after of textsAfter(steps)) {
          for (const [index, text] of linesOf(before)!.entries()) {
            const now = linesOf(after)![index]!;
            if (!now.startsWith(text) || finished.has(index)) {
              expect(finished.get(index) ?? now).toBe(now);
              expect(after.isOver || after.live > index || index < after.paragraphs.length - 1).toBe(true);
              finished.set(index, now);
            }
          }
          expect(after.live).toBeGreaterThanOrEqual(before.live);
          before = after;
        }
      }),
      { numRuns: 30 },
    );
  });

  test('has a story as it was said in its last form, and with wrong words in its first one', async () => {
    const steps = await lastValueFrom(from(captionStory()).pipe(captionSteps(), toArray()));
    const texts = textsAfter(steps);
    expect(linesOf(texts.at(-1))).toEqual([storyText]);
    expect(texts.map(text => linesOf(text)!.join(' '))).toContainEqual(
      expect.stringMatching(/^And mister john dashwood had then seizure to .* to do for them\. He was not/),
    );
  });

  test('has the final form of a paragraph when the next one has begun and all its words are final', () => {
    const wording = new Map([
      [0, 'I'],
      [1, 'came, saw'],
      [2, ''],
    ]);
    const steps: readonly CaptionStep[] = [
      words(word(0, 'I'), word(1, 'came'), word(2, 'uh')),
      words(word(3, 'Yes', { opensTurn: true })),
      { type: 'words', added: [], tail: ['maybe'], wording },
      { type: 'words', added: [word(4, '-- saw', { corrects: 1 })], tail: [], wording: new Map([[4, '']]) },
    ];
    const texts = textsAfter(steps);
    expect(texts.map(linesOf).slice(1)).toEqual([
      ['I came uh', '>> Yes'],
      ['I came, saw', '>> Yes'],
      ['I came, saw', '>> Yes'],
    ]);
    expect(texts[2]!.tail).toBe('maybe');
  });

  test('has a paragraph for each turn, notice, and text after a clear', () => {
    const texts = textsAfter([
      words(word(0, 'One'), word(1, 'two.')),
      words(word(2, 'Yes?', { opensTurn: true, speaker: 'Anna' })),
      { type: 'notice', text: '[captions paused]' },
      { type: 'notice', text: '[captions paused]' },
      words(word(3, 'Back.')),
      { type: 'clear' },
      words(word(4, 'After'), word(5, 'it.')),
      words(word(6, '-- right', { corrects: 5 })),
    ]);
    expect(texts.at(-1)!.paragraphs).toEqual([
      { kind: 'speech', text: 'One two.' },
      { kind: 'turn', text: '>> Anna: Yes?' },
      { kind: 'notice', text: '[captions paused]' },
      { kind: 'speech', text: 'Back.' },
      { kind: 'speech', text: 'After it. -- right' },
    ]);
    expect(texts.at(-1)!.live).toBe(4);
  });

  test('has no correction of a word that was cleared', () => {
    const texts = textsAfter([
      words(word(0, 'wrong')),
      { type: 'clear' },
      words(word(1, '-- right', { corrects: 0 })),
    ]);
    expect(linesOf(texts.at(-1))).toEqual(['wrong']);
  });

  test('loses words that are taken back, from the growing paragraph and from those that are finished', () => {
    const retract = (fromTs: number): CaptionStep => ({ type: 'retract', fromTs });
    const say = (id: number, text: string, more = {}): CaptionStep => ({
      type: 'words',
      added: [word(id, text, { ts: id, ...more })],
      tail: [],
      wording: new Map([[id, text]]),
    });
    const texts = textsAfter([
      say(0, 'Kept.'),
      say(1, 'Wrong.', { opensParagraph: true }),
      retract(1),
      say(2, 'Right.'),
      say(3, 'Wrong again.'),
      { type: 'clear' },
      { type: 'notice', text: '[captions paused]' },
      retract(3),
      say(4, 'All right.'),
      { type: 'off' },
      retract(2),
    ]);
    expect(texts.map(linesOf)).toEqual([
      ['Kept.'],
      ['Kept.', 'Wrong.'],
      ['Kept.', ''],
      ['Kept.', 'Right.'],
      ['Kept.', 'Right. Wrong again.'],
      ['Kept.', 'Right. Wrong again.'],
      ['Kept.', 'Right. Wrong again.', '[captions paused]'],
      ['Kept.', 'Right.', '[captions paused]'],
      ['Kept.', 'Right.', '[captions paused]', 'All right.'],
      [],
      [],
    ]);
  });

  test('has a tail only where its words can stay', () => {
    const tailOf = (steps: readonly CaptionStep[]) => textsAfter(steps).at(-1)!.tail;
    const tail: CaptionStep = { type: 'words', added: [], tail: ['maybe'], wording: new Map() };
    expect(tailOf([tail])).toBe('maybe');
    expect(tailOf([says('One'), tail])).toBe('maybe');
    expect(tailOf([tail, says('One')])).toBe('');
    expect(tailOf([tail, { type: 'clear' }])).toBe('');
    expect(tailOf([{ type: 'notice', text: '[captions paused]' }, tail])).toBe('');
    // The next word begins a paragraph.
    expect(tailOf([says(`${'word '.repeat(70)}end.`), tail])).toBe('');
  });

  test('is within its limits after a day', () => {
    let writer = initialPageWriter;
    let text = emptyPageText;
    for (let index = 0; index < 12_000; index++) {
      for (const step of [says(`Sentence ${index} of the day.`), { type: 'clear' } as const]) {
        const { state, changes } = pageChanges(writer, step);
        writer = state;
        text = changes.reduce(nextPageText, text);
      }
    }
    expect(text.paragraphs.length).toBeLessThanOrEqual(PAGE_TEXT_LIMITS.paragraphs);
    expect(text.paragraphs.length).toBeGreaterThan(PAGE_TEXT_LIMITS.paragraphs / 2);
    expect(text.first + text.paragraphs.length).toBe(12_000);
    expect(text.paragraphs.at(-1)!.text).toBe('Sentence 11999 of the day.');
  });
});
