import type { PageWord, PlacedText } from '../pageData.ts';
import { clockTenths, make } from './elements.ts';

/** Names of the kinds of words, and marks that distinguish them without colors. */
export const KINDS: Readonly<Record<PageWord['type'], { readonly name: string; readonly mark: string }>> = {
  hit: { name: 'right', mark: '' },
  substitution: { name: 'substituted', mark: '≠' },
  deletion: { name: 'deleted', mark: '−' },
  insertion: { name: 'inserted', mark: '+' },
};

/** Returns the place of a word in the audio: where it was heard, or else said. */
export function placeOf(word: PageWord): PlacedText {
  return word.hypothesis ?? word.reference;
}

/** Words per part, because a browser renders only visible parts. */
const PART_WORDS = 100;

/** Margin in seconds after the last word of a part, whose text may be longer than its time. */
const PART_MARGIN_SECONDS = 2;

/**
 * Makes the elements of words for the time line, in parts; each word has a button and possibly a label of the other
 * side.
 */
export function makeTimedWords(words: readonly PageWord[]) {
  const elements = words.map(makeWord);
  const parts = Array.from({ length: Math.ceil(words.length / PART_WORDS) }, (_, index) => {
    const range = [index * PART_WORDS, (index + 1) * PART_WORDS] as const;
    return makePart(words.slice(...range), elements.slice(...range).flat());
  });
  return { parts, buttons: elements.flatMap(pair => pair.slice(-1)) };
}

function makePart(words: readonly PageWord[], elements: readonly HTMLElement[]): HTMLElement {
  const places = words
    .flatMap(({ reference, hypothesis }) => [reference, hypothesis])
    .filter(place => place !== undefined);
  const from = Math.min(...places.map(({ ts }) => ts));
  const to = Math.max(...places.map(({ endTs }) => endTs)) + PART_MARGIN_SECONDS;
  const part = make('div', 'part', ...elements);
  part.style.setProperty('--ts', String(from));
  part.style.setProperty('--from', String(from));
  part.style.setProperty('--length', String(to - from));
  return part;
}

/** Makes the button of a word, and the label of its other side. */
function makeWord(word: PageWord, index: number): HTMLElement[] {
  const { name, mark } = KINDS[word.type];
  const { reference, hypothesis } = word;
  const place = placeOf(word);
  const button = placedWord('button', `word ${word.type} ${hypothesis ? 'heard' : 'said'}`, place);
  button.setAttribute('type', 'button');
  button.dataset.index = String(index);
  button.dataset.mark = mark;
  button.tabIndex = -1;
  const texts = [reference && `said ${reference.text}`, hypothesis && `heard ${hypothesis.text}`];
  const known = texts.filter(text => text !== undefined).join(', ');
  const label = `${clockTenths(place.ts)} ${name}: ${known}`;
  button.setAttribute('aria-label', label);
  button.title = label;
  if (!reference || !hypothesis) return [button];
  const above = placedWord('span', `word ${word.type} said`, reference);
  above.setAttribute('aria-hidden', 'true');
  above.dataset.at = String(index);
  return [above, button];
}

function placedWord(tag: 'button' | 'span', className: string, { text, ts, endTs }: PlacedText): HTMLElement {
  // A word with a mark truncates its text inside.
  const element = make(tag, className, className.includes('hit') ? text : make('bdi', '', text));
  element.style.setProperty('--ts', String(ts));
  element.style.setProperty('--length', String(endTs - ts));
  return element;
}
