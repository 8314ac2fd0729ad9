import type { EnglishWord } from './englishWord.ts';
import spellings from './spellings.json' with { type: 'json' };

/** Writes British spellings in the American form: "colour" is "color", "organised" "organized". */
export function spellAlike(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const known = new Map<string, string>();
  return words.map(word => {
    const spelled = known.get(word.word) ?? spell(word.word);
    known.set(word.word, spelled);
    const { start, end } = word;
    return spelled === word.word ? word : { word: spelled, start, end };
  });
}

function spell(word: string): string {
  if (word.endsWith("'s")) return `${spell(word.slice(0, -2))}'s`;
  const known = SPELLINGS.get(word);
  if (known !== undefined) return known;
  const plain = word.replace(PART, part => PARTS.get(part) ?? part);
  return withZ(RULES.reduce((spelled, [from, to]) => spelled.replace(from, to), plain));
}

/** Parts of words, in any position. */
const PARTS: ReadonlyMap<string, string> = new Map(Object.entries(spellings.parts));

/** Stems with -our and -or, whatever follows. */
const OUR = either(spellings.our);
/** Stems with -re and -er. */
const RE = either(spellings.re);
/** Stems with one l or two before an ending. */
const L = either(spellings.doubleL);
const OGUE = either(spellings.ogue);

const PART = new RegExp(either([...PARTS.keys()]), 'g');
const RULES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${OUR}our`), '$1or'],
  [new RegExp(`${RE}re(?=s?$)`), '$1er'],
  [new RegExp(`${RE}red$`), '$1ered'],
  [/^(cent|fib|theat)re(?=[a-z]{3})/, '$1er'],
  [new RegExp(`${L}l(ed|ers?|est|ings?|ists?|ors?|ous(?:ly)?)$`), '$1$2'],
  [new RegExp(`${OGUE}ogue(?=s?$)`), '$1og'],
  [new RegExp(`${OGUE}ogu(?=ed$|ing$|er)`), '$1og'],
  [/lys(?=(?:e[ds]?|ers?|ing)$)/, 'lyz'],
];

function either(stems: readonly string[]): string {
  return `(${stems.join('|')})`;
}

/** Stems whose -ise never becomes -ize. */
const NEVER_Z: ReadonlySet<string> = new Set(spellings.neverZ);
const WITH_PREFIX = /^(?:un|re|pre|dis|mis|over|self|non|im|in)/;

/** Writes -ise as -ize where it is an ending: "realise", not "rise", "noise" and "exercise". */
function withZ(word: string): string {
  const [, stem, ending] =
    /^(.{2,}[^aeiouw])is((?:e[ds]?|ers?|ing(?:ly)?|abl[ey]|an(?:ce|t)|ements?|ation(?:s|al)?))$/.exec(word) ??
    [];
  if (stem === undefined || NEVER_Z.has(stem) || NEVER_Z.has(stem.replace(WITH_PREFIX, ''))) return word;
  return `${stem}iz${ending}`;
}

/** Words with two irregular spellings; the second one is the normalized form. */
export const SPELLINGS: ReadonlyMap<string, string> = new Map(Object.entries(spellings.words));
