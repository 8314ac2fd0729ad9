import { textWidth } from '../../transcript/text/textWidth.ts';
import type { AlignedWord } from '../score/scoreTranscript.ts';

/** How many words that are right stand beside those that are wrong. */
const CONTEXT = 2;

/** What stands where one of the two has no word. */
const ABSENT = '*';

/**
 * Where reference and hypothesis differ, for a terminal: stretches with errors in capitals, two words of context on
 * each side, one under the other.
 *
 * @example
 * REF  and so MISTER john met
 * HYP  and so MISSED john met
 */
export function differenceLines(alignment: readonly AlignedWord[], limit = 10): readonly string[] {
  const stretches = stretchesOf(alignment);
  const lines = stretches.slice(0, limit).flatMap(words => [row('REF', words), row('HYP', words)]);
  const left = stretches.length - limit;
  return left > 0 ? [...lines, `and ${left} more`] : lines;
}

function stretchesOf(alignment: readonly AlignedWord[]): readonly (readonly AlignedWord[])[] {
  const ranges: { readonly start: number; end: number }[] = [];
  alignment.forEach((word, index) => {
    if (word.type === 'hit') return;
    const [start, end] = [Math.max(index - CONTEXT, 0), index + 1 + CONTEXT];
    const last = ranges.at(-1);
    if (last && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  });
  return ranges.map(({ start, end }) => alignment.slice(start, end));
}

function row(name: 'REF' | 'HYP', words: readonly AlignedWord[]): string {
  const cells = words.map(({ type, reference = ABSENT, hypothesis = ABSENT }) => {
    const texts = [reference, hypothesis].map(text => (type === 'hit' ? text : text.toUpperCase()));
    const text = texts[name === 'REF' ? 0 : 1]!;
    return text + ' '.repeat(Math.max(...texts.map(textWidth)) - textWidth(text));
  });
  return `${name}  ${cells.join(' ')}`.trimEnd();
}
