import type { TextElement, TranscriptElement } from '../../transcript/model.ts';
import type { SpelledWord, Spellings } from '../phrases/spellings.ts';
import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { capitalize, endMarkOf } from './plainSentences.ts';
import { maskProfanity } from './profanity.ts';

export interface PostProcessOptions {
  /** Frames a second of the results, in Hz: the engine's `capabilities.sampleRate`. */
  readonly sampleRate: number;
  /** Leaves words as recognised: lower case, no punctuation but the spaces. Default false. */
  readonly skipPostprocessing?: boolean;
  /** Every letter of a profane word but the first and last becomes `*`. Default false. */
  readonly filterProfanity?: boolean;
  /** Leaves out "um", "uh" and the like. Default false. */
  readonly removeDisfluencies?: boolean;
  /** How the phrases of a vocabulary are written in finals; not where post-processing is skipped. */
  readonly spellings?: Spellings;
}

/** What one final has to know of those before it. */
export interface PostProcessState {
  /** The first words of the sentence that a segment limit left unfinished; empty where a new one begins. */
  readonly opening: readonly string[];
}

/** Turns recognised words into transcript elements. Pure: a final never rewrites an earlier one. */
export interface PostProcessor {
  /** The state before the first final. */
  readonly start: PostProcessState;
  /** The elements of one final, with the state for the next; no elements when nothing is left to show. */
  final(
    state: PostProcessState,
    result: RecognizerResult,
  ): { readonly state: PostProcessState; readonly elements: readonly TranscriptElement[] };
  /** The words of a partial, plain. Profanity and disfluencies are handled as in finals. */
  partial(result: RecognizerResult): readonly TextElement[];
}

/** Sounds of hesitation; "mhm", "uh-huh" and "huh" carry meaning and stay. */
export const DISFLUENCIES: ReadonlySet<string> = new Set([
  ...['um', 'umm', 'uh', 'uhh', 'er', 'erm', 'hm', 'hmm', 'mm', 'mmm'],
]);

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };
const START: PostProcessState = { opening: [] };
/** Words of a sentence that tell whether it asks. */
const OPENING_WORDS = 3;

/**
 * English text from recognised words: a sentence a final, with its capitals and its end mark.
 *
 * @example
 * const post = createPostProcessor({ sampleRate: 16000 });
 * let state = post.start;
 * const step = post.final(state, result); // "He was not an ill disposed young man."
 * state = step.state;
 */
export function createPostProcessor(options: PostProcessOptions): PostProcessor {
  const { sampleRate, skipPostprocessing = false } = options;
  const show = options.filterProfanity ? maskProfanity : (word: string) => word;
  const spelled = (words: readonly RecognizedWord[]): readonly SpelledWord[] =>
    options.spellings && !skipPostprocessing ? options.spellings.apply(words) : words;
  const kept = (result: RecognizerResult) =>
    options.removeDisfluencies ? result.words.filter(word => !DISFLUENCIES.has(word.value)) : result.words;
  return {
    start: START,
    partial: result => kept(result).map(word => textElement(word, show(word.value), sampleRate)),
    final(state, result) {
      const words = kept(result);
      const opening = [...state.opening, ...words.map(word => word.value)].slice(0, OPENING_WORDS);
      const texts = spelled(words).map((word, index) => {
        const opens = index === 0 && state.opening.length === 0;
        const value = skipPostprocessing ? word.value : written(word, opens);
        return textElement(word, show(value), sampleRate);
      });
      const elements = texts.flatMap<TranscriptElement>((text, index) =>
        index === 0 ? [text] : [SPACE, text],
      );
      if (result.cut) return { state: { opening }, elements };
      const last = texts.at(-1);
      // An abbreviation brings its own full stop, some names a mark.
      if (last && !skipPostprocessing && !/[.!?]$/.test(last.value)) {
        elements.push({ type: 'punct', value: endMarkOf(opening) });
      }
      return { state: START, elements };
    },
  };
}

/** A spelling with capitals is left as it is: "iPhone" opens a sentence, too. */
function written({ value, spelling }: SpelledWord, opensSentence: boolean): string {
  if (spelling && /\p{Lu}/u.test(spelling)) return spelling;
  return capitalize(spelling ?? value, opensSentence);
}

function textElement(word: RecognizedWord, value: string, sampleRate: number): TextElement {
  return {
    type: 'text',
    value,
    ts: word.startFrame / sampleRate,
    endTs: word.endFrame / sampleRate,
    ...(word.confidence !== undefined && { confidence: word.confidence }),
  };
}
