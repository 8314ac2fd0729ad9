import type { RecognizedWord } from '../recognizer.ts';
import type { PocketSphinxLibrary, Pointer } from './library.ts';

/** Paths through the lattice that are looked at for each alternative: most differ in a silence or a pronunciation only. */
const PATHS_PER_ALTERNATIVE = 20;

export type WordSequence = readonly RecognizedWord[];

/**
 * What else the utterance that has just ended could be, likeliest first: paths of the lattice whose words differ from
 * the best ones and from each other.
 *
 * @param count at most so many
 * @param best what the utterance is taken for
 * @param read the words of an iterator over segments, which it uses up
 */
export function readAlternatives(
  library: PocketSphinxLibrary,
  decoder: Pointer,
  { count, best, read }: { count: number; best: WordSequence; read: (segments: Pointer) => WordSequence },
): readonly WordSequence[] {
  const found = new Map<string, WordSequence>();
  const known = textOf(best);
  let path = count > 0 ? library.ps_nbest(decoder) : null;
  for (let paths = 0; path && paths < PATHS_PER_ALTERNATIVE * count; paths++) {
    const words = read(library.ps_nbest_seg(path));
    const text = textOf(words);
    if (words.length > 0 && text !== known && !found.has(text)) found.set(text, words);
    if (found.size === count) break;
    // It frees itself after the last one.
    path = library.ps_nbest_next(path);
  }
  if (path) library.ps_nbest_free(path);
  return [...found.values()];
}

/** The words alone: sequences that differ in times are one and the same. */
export function textOf(words: WordSequence): string {
  return words.map(word => word.value).join(' ');
}
