import type { PageFile, PageWord } from '../pageData.ts';
import { clockTenths, make, makeButton, targetOf } from './elements.ts';
import type { Position } from './position.ts';
import { KINDS, placeOf } from './timedWords.ts';

/** Number of words that stay visible around an error when only errors are shown. */
const CONTEXT_WORDS = 3;

/**
 * A paragraph ends at a change of speaker, at its maximum length, and at a pause of this length once it has this many
 * words.
 */
const PARAGRAPH = { pauseSeconds: 0.8, words: 30, mostWords: 120 };

/** Makes the text with its errors, and a filter that shows only the errors. */
export function makeDifferences(file: PageFile, position: Position): readonly [HTMLElement, HTMLElement] {
  const text = make('div', 'differences');
  text.append(...paragraphsOf(file.words).map(steps => makeParagraph(steps, position)));
  text.addEventListener('click', event => {
    const word = file.words[Number(targetOf(event, '[data-word]')?.dataset.word ?? -1)];
    if (word) position.seek(placeOf(word).ts);
  });
  followWords(text, file, position);
  return [makeFilter(text), text];
}

function makeFilter(text: HTMLElement): HTMLElement {
  const box = make('input', '');
  box.type = 'checkbox';
  box.addEventListener('change', () => text.classList.toggle('errors-only', box.checked));
  return make('label', 'filter', box, ' errors only');
}

/** Marks the word at the position. */
function followWords(text: HTMLElement, { words }: PageFile, position: Position): void {
  const elements = new Map(
    [...text.querySelectorAll<HTMLElement>('[data-word]')].map(one => [one.dataset.word, one]),
  );
  let shown: HTMLElement | undefined;
  position.onChange(seconds => {
    const index = words.findLastIndex(
      ({ hypothesis }) => hypothesis !== undefined && hypothesis.ts <= seconds + 0.01,
    );
    const next = elements.get(String(index));
    if (next === shown) return;
    shown?.classList.remove('now');
    next?.classList.add('now');
    shown = next;
  });
}

function nearErrors(words: readonly PageWord[]): ReadonlySet<number> {
  const near = new Set<number>();
  words.forEach(({ type }, index) => {
    if (type === 'hit') return;
    for (let at = index - CONTEXT_WORDS; at <= index + CONTEXT_WORDS; at++) near.add(at);
  });
  return near;
}

/** A word and its index among all words. */
interface Step {
  readonly word: PageWord;
  readonly index: number;
  /** True for a word that is hidden when only errors are shown. */
  readonly isFar: boolean;
}

type Paragraph = [first: Step, ...others: Step[]];

function paragraphsOf(words: readonly PageWord[]): readonly Paragraph[] {
  const near = nearErrors(words);
  const paragraphs: Paragraph[] = [];
  for (const [index, word] of words.entries()) {
    const step = { word, index, isFar: !near.has(index) };
    const last = paragraphs.at(-1);
    const before = last?.at(-1)?.word;
    if (last && before && !isBreak(before, word, last.length)) last.push(step);
    else paragraphs.push([step]);
  }
  return paragraphs;
}

function isBreak(before: PageWord, word: PageWord, length: number): boolean {
  if (word.reference && before.speaker !== word.speaker && word.speaker !== undefined) return true;
  const pause = placeOf(word).ts - placeOf(before).endTs;
  return length >= PARAGRAPH.mostWords || (length >= PARAGRAPH.words && pause >= PARAGRAPH.pauseSeconds);
}

function makeParagraph(steps: Paragraph, position: Position): HTMLElement {
  const { word: first } = steps[0];
  const { ts } = placeOf(first);
  const time = makeButton(clockTenths(ts), `Go to ${clockTenths(ts)}`, () => position.seek(ts));
  time.classList.add('time');
  const areFar = steps.every(({ isFar }) => isFar);
  const text = make('p', areFar ? 'far' : '');
  text.dir = 'auto';
  if (first.speaker !== undefined) text.append(make('b', 'speaker', `${first.speaker}: `));
  let isSkipping = false;
  for (const step of steps) {
    if (step.isFar && !isSkipping) text.append(make('span', 'skip', '… '));
    isSkipping = step.isFar;
    text.append(makeMarked(step), ' ');
  }
  return make('div', areFar ? 'paragraph far' : 'paragraph', time, text);
}

/** Makes one step, whose kind is recognizable without colors and to screen readers. */
function makeMarked({ word, index, isFar }: Step): HTMLElement {
  const { type, reference, hypothesis } = word;
  const step = make('span', `step ${type}${isFar ? ' far' : ''}`);
  step.dataset.word = String(index);
  if (type === 'hit') {
    step.append(placeOf(word).text);
    return step;
  }
  step.title = `${KINDS[type].name} at ${clockTenths(placeOf(word).ts)}`;
  step.append(make('span', 'unseen', `[${KINDS[type].name}: `));
  if (reference) step.append(make('del', '', reference.text));
  if (reference && hypothesis) step.append(make('span', 'unseen', ' heard as '));
  if (hypothesis) step.append(make('ins', '', hypothesis.text));
  step.append(make('span', 'unseen', ']'));
  return step;
}
