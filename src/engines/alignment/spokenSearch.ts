import { createPronouncer } from '../pronunciation/pronouncer.ts';
import { createGrammarDecoder, type GrammarDecoder } from '../soundswallower/grammarDecoder.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { readEnglishDictionary } from './englishModel.ts';
import { isUnlike } from './pieceSearch.ts';
import { OTHER, OTHER_SOUNDS, spokenGrammar } from './spokenGrammar.ts';
import { settleEdges } from './wordEdges.ts';
import { createWordSounds, type SayableWord, sayableWords } from './wordSounds.ts';

/**
 * Beam of the search. A narrower one loses its way after a word that was not said or where other speech resembles the
 * words; without any, a search takes twice as long and unbounded memory.
 */
const BEAM = 1e-100;
const SETTINGS = {
  beam: BEAM,
  pbeam: BEAM,
  wbeam: BEAM,
  // Unlikely pauses keep parts of words from being taken for them.
  silprob: 1e-6,
  // Twice as many Gaussians as by default: more exact by 2 % of the words, for a fifth more time.
  topn: 8,
};
/** Limit of the labels that a decoder keeps. Another one takes 40 ms. */
const MAX_LABELS = 20_000;
/** Excess misfit above which a word was not said: twice that of other texts, since these words were typed by ear. */
const MOST_EXCESS = 80;
/**
 * Up to this number of words, in audio of at most this many seconds plus some for each phone, no other speech is allowed
 * around them: it would replace parts of them.
 */
const FEW_WORDS = 4;
const TIGHT_SECONDS = 2;
const TIGHT_SECONDS_A_PHONE = 0.1;

/** Loads the dictionary and returns a search for words in audio in which they are spoken. Calls block. */
export function createSpokenSearch() {
  const dictionary = readEnglishDictionary();
  const pronouncer = createPronouncer(dictionary);
  let decoder: GrammarDecoder | undefined;
  /** Labels of the decoder by pronunciations and occurrence. */
  const labels = new Map<string, string>();

  async function readyDecoder(): Promise<GrammarDecoder> {
    if (decoder && labels.size < MAX_LABELS) return decoder;
    labels.clear();
    decoder = await createGrammarDecoder(SETTINGS);
    decoder.teach(OTHER, OTHER_SOUNDS);
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
    /**
     * Returns the words that were found, in order and without overlap.
     *
     * @param audio mono at the rate of the voice detector
     */
    async find(audio: Int16Array, text: readonly string[]) {
      const words = sayableWords(text, createWordSounds(dictionary, pronouncer));
      if (words.length === 0 || audio.length === 0) return [];
      const searching = await readyDecoder();
      const path = labelsOf(words, searching);
      const sounds = searching.search(spokenGrammar(path, isLoose(audio, words)), audio);
      const found = sounds.flatMap(({ label, startFrame, endFrame, misfit }, index) => {
        if (label === undefined || label === OTHER) return [];
        const { number, phones, pronunciations } = words[path.indexOf(label)]!;
        if (isUnlike({ startFrame, endFrame, misfit, phones }, 1, MOST_EXCESS)) return [];
        // Some ends are a hundredth of a second too late.
        const next = sounds[index + 1]?.startFrame ?? audio.length;
        return [{ word: number, pronunciations, startFrame, endFrame: Math.min(endFrame, next) }];
      });
      return settleEdges(found, audio);
    },
    /** Learns to pronounce unknown words, which takes some 3 s. Without it, the first such word does. */
    learn: () => void pronouncer.pronounce('a'),
  };
}

function isLoose(audio: Int16Array, words: readonly SayableWord[]): boolean {
  if (words.length > FEW_WORDS) return true;
  const phones = words.reduce((sum, word) => sum + word.phones, 0);
  return audio.length / VOICE_SAMPLE_RATE > TIGHT_SECONDS + TIGHT_SECONDS_A_PHONE * phones;
}
