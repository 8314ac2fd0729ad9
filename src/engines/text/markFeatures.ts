/** Number of feature ids: so many that collisions are rare. */
export const FEATURES = 1 << 22;

/** Stands for the words before the first and after the last. */
const NOTHING = '^';

/** Returns the features of a mark after a word: the words around it, alone and combined. */
export function markFeatures(words: readonly string[], at: number): readonly number[] {
  const before = words[at - 1] ?? NOTHING;
  const word = words[at] ?? NOTHING;
  const next = words[at + 1] ?? NOTHING;
  const later = words[at + 2] ?? NOTHING;
  return [
    featureOf('f', word),
    featureOf('g', next),
    featureOf('h', word, next),
    featureOf('i', before, word),
    featureOf('j', next, later),
    featureOf('k', before, word, next),
    featureOf('l', word, next, later),
    featureOf('m', later),
    featureOf('n', before),
    featureOf('o', endingOf(word), next),
    featureOf('p', words[at + 3] ?? NOTHING),
  ];
}

/** Returns the features of a mark when the next words are unknown. */
export function lastMarkFeatures(words: readonly string[], at: number): readonly number[] {
  const word = words[at] ?? NOTHING;
  const before = words[at - 1] ?? NOTHING;
  return [
    featureOf('a', word),
    featureOf('b', before, word),
    featureOf('c', words[at - 2] ?? NOTHING, before, word),
    featureOf('d', before),
    featureOf('e', endingOf(word)),
  ];
}

/** Returns the features of a question. */
export function questionFeatures(sentence: readonly string[]): readonly number[] {
  const [first = NOTHING, second = NOTHING, third = NOTHING] = sentence;
  const last = sentence.at(-1) ?? NOTHING;
  return [
    featureOf('q', first),
    featureOf('r', first, second),
    featureOf('s', first, second, third),
    featureOf('t', second, third),
    featureOf('u', last),
    featureOf('v', sentence.at(-2) ?? NOTHING, last),
  ];
}

/** Returns the ending of a word, which separates adverbs, participles and plurals. */
function endingOf(word: string): string {
  return word.length > 4 ? word.slice(-3) : word;
}

/** Returns the FNV-1a hash, mixed once more so that the low bits depend on all of it. */
function featureOf(...parts: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 0x20, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (FEATURES - 1);
}
