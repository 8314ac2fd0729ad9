import { createPronouncer } from '../pronunciation/pronouncer.ts';
import {
  type Arc,
  createGrammarDecoder,
  type Grammar,
  type GrammarDecoder,
} from '../soundswallower/grammarDecoder.ts';
import { ENGLISH_MODEL, readEnglishDictionary } from './englishModel.ts';
import { isUnlike, type TimedWord } from './pieceSearch.ts';
import { createWordSounds, type SayableWord, sayableWords } from './wordSounds.ts';

/** A search for words in audio in which they are spoken. Calls block. */
export interface SpokenSearch {
  /**
   * Returns the words that were found, in order and without overlap.
   *
   * @param audio mono at the rate of the voice detector
   */
  find(audio: Int16Array, words: readonly string[]): Promise<readonly TimedWord[]>;
  /** Learns to pronounce unknown words, which takes some 2 s. Without it, the first such word does. */
  learn(): void;
}

/**
 * Beam of the search. A narrower one loses its way after a word that was not said; without any, a search takes
 * twice as long and unbounded memory.
 */
const BEAM = 1e-80;
/** Probability of the first word that is left out, and of each further one in a row. */
const SKIP = 1e-20;
const SKIP_MORE = 1e-8;
/** Limit of the words that are left out in a row. */
const MAX_SKIPPED = 4;
/** Limit of the labels that a decoder keeps. Another one takes 40 ms. */
const MAX_LABELS = 20_000;

/** Loads the dictionary and returns the search. */
export function createSpokenSearch(): SpokenSearch {
  const dictionary = readEnglishDictionary();
  const pronouncer = createPronouncer(dictionary);
  let decoder: GrammarDecoder | undefined;
  /** Labels of the decoder by pronunciations and occurrence. */
  const labels = new Map<string, string>();

  async function readyDecoder(): Promise<GrammarDecoder> {
    if (decoder && labels.size < MAX_LABELS) return decoder;
    labels.clear();
    decoder = await createGrammarDecoder(ENGLISH_MODEL, { beam: BEAM, pbeam: BEAM, wbeam: BEAM });
    return decoder;
  }

  function labelOf(key: string, pronunciations: readonly string[], to: GrammarDecoder): string {
    const known = labels.get(key);
    if (known) return known;
    const label = `w${labels.size}`;
    to.teach(label, pronunciations);
    labels.set(key, label);
    return label;
  }

  /** Returns a label for each word: words that sound alike have different ones, since some may not be found. */
  function labelsOf(words: readonly SayableWord[], to: GrammarDecoder): readonly string[] {
    const occurrences = new Map<string, number>();
    return words.map(({ pronunciations }) => {
      const sounds = pronunciations.join();
      const occurrence = occurrences.get(sounds) ?? 0;
      occurrences.set(sounds, occurrence + 1);
      return labelOf(`${sounds} ${occurrence}`, pronunciations, to);
    });
  }

  return {
    async find(audio, text) {
      const words = sayableWords(text, createWordSounds(dictionary, pronouncer));
      if (words.length === 0 || audio.length === 0) return [];
      const searching = await readyDecoder();
      const path = labelsOf(words, searching);
      const sounds = searching.search(grammarOf(path), audio);
      return sounds.flatMap(({ label, startFrame, endFrame, misfit }, index) => {
        if (label === undefined) return [];
        const { number, phones } = words[path.indexOf(label)]!;
        if (isUnlike({ startFrame, endFrame, misfit, phones }, 1)) return [];
        // Some ends are a hundredth of a second too late.
        const next = sounds[index + 1]?.startFrame ?? audio.length;
        return [{ word: number, startFrame, endFrame: Math.min(endFrame, next) }];
      });
    },
    learn: () => void pronouncer.pronounce('a'),
  };
}

/** Returns the grammar of words one after another, of which some may be left out. */
function grammarOf(path: readonly string[]): Grammar {
  const arcs: Arc[] = [];
  for (const [from, label] of path.entries()) {
    arcs.push({ from, to: from + 1, label, probability: 1 });
    // The search takes one silent arc at a time.
    for (let skipped = 1; skipped <= MAX_SKIPPED && from + skipped <= path.length; skipped++) {
      arcs.push({ from, to: from + skipped, probability: SKIP * SKIP_MORE ** (skipped - 1) });
    }
  }
  return { states: path.length + 1, start: 0, end: path.length, arcs };
}
