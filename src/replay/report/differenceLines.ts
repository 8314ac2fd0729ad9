import { textWidth } from '../../transcript/text/textWidth.ts';
import type { AlignedWord } from '../score/scoreTranscript.ts';

/** Number of correct words around errors. */
const CONTEXT = 2;

/** Placeholder for a missing word. */
const ABSENT = '*';

/**
 * Formats the differences between reference and hypothesis for a terminal: one above the other, errors in capitals,
 * with two words of context on each side.
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
    const start = Math.max(index - CONTEXT, 0);
    const end = index + 1 + CONTEXT;
    const last = ranges.at(-1);
    if (last && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  });
  return ranges.map(({ start, end }) => alignment.slice(start, end));
}

function row(name: 'REF' | 'HYP', words: readonly AlignedWord[]): string {
  const cells = words.map(({ type, reference = ABSENT, hypothesis = ABSENT }) => {
    const shown = (text: string) => (type === 'hit' ? text : text.toUpperCase());
    const text = shown(name === 'REF' ? reference : hypothesis);
    const width = Math.max(textWidth(shown(reference)), textWidth(shown(hypothesis)));
    return text + ' '.repeat(width - textWidth(text));
  });
  return `${name}  ${cells.join(' ')}`.trimEnd();
}
