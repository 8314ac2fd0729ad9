/** Texts that mean the same, which a user states in a file, as the GLM files of sclite do. */
import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { RuledWord, RuleSet } from './ruleSet.ts';

/** Two texts: the first one as written, and the second one as meant. */
export type Equivalence = readonly [written: string, meant: string];

/**
 * Reads equivalences, one a line: `ice cream = icecream`. Empty lines and those that begin with `#` are ignored.
 *
 * @param name of the file, for errors
 * @throws InvalidArgumentError with the number of the line
 */
export function parseEquivalences(text: string, name: string): readonly Equivalence[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/u);
  return lines.flatMap((line, index): readonly Equivalence[] => {
    if (/^\s*(#|$)/u.test(line)) return [];
    const [written = '', meant = '', ...more] = line.split('=').map(part => part.trim());
    if (written !== '' && meant !== '' && more.length === 0) return [[written, meant]];
    throw new InvalidArgumentError(`${name}:${index + 1} expected two texts, as 'ice cream = icecream'.`);
  });
}

/**
 * Returns a rule set that also replaces words by their equivalents, the longest match first. Both sides of an equivalence are
 * normalized by the rules.
 *
 * @example
 * import { ruleSetFor } from 'rxscribe/replay';
 * withEquivalences(ruleSetFor('en'), [['ice cream', 'icecream']]).words('Ice cream!').map(({ word }) => word) // ['icecream']
 */
export function withEquivalences(rules: RuleSet, equivalences: readonly Equivalence[]): RuleSet {
  const meant = new Map(
    equivalences.map(([written, other]) => [keyOf(rules.words(written)), rules.words(other)]),
  );
  const longest = Math.max(0, ...[...meant.keys()].map(key => key.split(' ').length));
  const hash = createHash('sha256').update(JSON.stringify(equivalences)).digest('hex').slice(0, 8);
  return {
    name: `${rules.name}+${hash}`,
    description: `${rules.description} Besides, ${equivalences.length} equivalences.`,
    words: text => replaced(rules.words(text), meant, longest),
  };
}

const keyOf = (words: readonly RuledWord[]) => words.map(({ word }) => word).join(' ');

function replaced(
  words: readonly RuledWord[],
  meant: ReadonlyMap<string, readonly RuledWord[]>,
  longest: number,
): readonly RuledWord[] {
  const all: RuledWord[] = [];
  for (let at = 0; at < words.length; ) {
    let part = words.slice(at, at + Math.max(longest, 1));
    while (part.length > 1 && !meant.has(keyOf(part))) part = part.slice(0, -1);
    const { start } = part[0]!;
    const { end } = part.at(-1)!;
    all.push(...(meant.get(keyOf(part))?.map(({ word }) => ({ word, start, end })) ?? part));
    at += part.length;
  }
  return all;
}
