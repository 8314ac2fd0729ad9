import type { Clock } from '../../base/clock.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';
import type { Spellings } from '../phrases/spellings.ts';
import type { Punctuator, SpokenWord, WrittenWord } from '../punctuator.ts';
import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { withoutDisfluencies } from './disfluencies.ts';
import { areWritten, engineWriting, joinedAsWritten } from './engineWriting.ts';
import { writeNumbers } from './numbers/writeNumbers.ts';
import { maskProfanity } from './profanity.ts';
import { createPunctuation } from './punctuation.ts';
import { endsSentence, unitsOf, type WrittenUnit } from './writtenUnits.ts';

export interface PostProcessOptions {
  /** Frames a second of the results, in Hz: the engine's `capabilities.sampleRate`. */
  readonly sampleRate: number;
  /** ISO 639-1. Default `en`; numbers and disfluencies are English. */
  readonly language?: string;
  /** Leaves words as recognised: lower case, no punctuation but the spaces, numbers as words. Default false. */
  readonly skipPostprocessing?: boolean;
  /** Every letter of a profane word but the first and last becomes `*`. Default false. */
  readonly filterProfanity?: boolean;
  /** Leaves out "um", "uh" and the like, and stutters. Default false. */
  readonly removeDisfluencies?: boolean;
  /** How the phrases of a vocabulary are written in finals; not where post-processing is skipped. */
  readonly spellings?: Spellings;
  /** Default: `createPunctuator()`. Languages that it does not know get a sentence an utterance. */
  readonly punctuator?: Punctuator;
  /** Told once that the punctuator failed; such utterances become plain sentences. Default: nobody is told. */
  readonly onError?: (error: unknown) => void;
  /** By which the punctuator is waited for. Default: the machine's. */
  readonly clock?: Clock;
}

/** What one final has to know of those before it. */
export interface PostProcessState {
  /** The last words of the sentence that is not finished; empty where a new one begins. */
  readonly before: readonly string[];
}

export interface FinalOptions {
  /** What is said next by the same person, where that is known: of a recording. */
  readonly after?: readonly RecognizedWord[];
  readonly signal?: AbortSignal;
}

/** Turns recognised words into transcript elements. A final never rewrites an earlier one. */
export interface PostProcessor {
  /** The state before the first final. */
  readonly start: PostProcessState;
  /**
   * The elements of one final, with the state for the next; no elements when nothing is left to show.
   *
   * @throws the signal's reason, and nothing else
   */
  final(
    state: PostProcessState,
    result: RecognizerResult,
    options?: FinalOptions,
  ): Promise<{ readonly state: PostProcessState; readonly elements: readonly TranscriptElement[] }>;
  /** The words of a partial, plain. Profanity and disfluencies are handled as in finals. */
  partial(result: RecognizerResult): readonly TextElement[];
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };
/** Of a sentence that goes on and on. */
const MAX_BEFORE = 100;
/** Words that are known to come next are looked at no further. */
const MAX_AFTER = 3;

/**
 * English text from recognised words: sentences with their capitals and marks, numbers in digits. Where the engine writes
 * capitals and marks itself, these are kept.
 *
 * @example
 * const post = createPostProcessor({ sampleRate: 16000 });
 * let state = post.start;
 * const step = await post.final(state, result); // "He was not an ill disposed young man."
 * state = step.state;
 */
export function createPostProcessor(options: PostProcessOptions): PostProcessor {
  const { sampleRate, language = 'en', skipPostprocessing = false, spellings } = options;
  const show = options.filterProfanity ? maskProfanity : (word: string) => word;
  const punctuate = createPunctuation(options);
  const kept = (words: readonly RecognizedWord[]) =>
    options.removeDisfluencies && language === 'en' ? withoutDisfluencies(words) : words;
  return {
    start: { before: [] },
    partial: ({ words }) => kept(words).map(word => textElement(word, show(word.value), sampleRate)),
    async final(state, result, { after, signal } = {}) {
      const words = kept(result.words);
      if (skipPostprocessing) {
        const texts = words.map(word => textElement(word, show(word.value), sampleRate));
        return { state, elements: texts.flatMap((text, index) => (index === 0 ? [text] : [SPACE, text])) };
      }
      const spoken = (word: RecognizedWord) => spokenWord(word, sampleRate);
      const next = after && kept(after);
      // That all of it is left out does not mean that nobody speaks on.
      const isNextKnown = next && (next.length > 0 || after.length === 0);
      const written = areWritten(words)
        ? await engineWriting(words, state.before)
        : await punctuate(
            {
              words: words.map(spoken),
              before: state.before,
              goesOn: result.cut ?? false,
              ...(isNextKnown && { after: next.slice(0, MAX_AFTER).map(spoken) }),
            },
            signal,
          );
      const spelled = joinedAsWritten(spellings?.apply(words) ?? words);
      const units = unitsOf(spelled, written, state.before.length === 0);
      const numbers = { sampleRate, before: state.before, goesOn: result.cut };
      const shown = language === 'en' ? writeNumbers(units, numbers) : units;
      const elements = shown.flatMap<TranscriptElement>((unit, index) => [
        ...(index === 0 ? [] : [SPACE]),
        textElement(unit, show(unit.written), sampleRate),
        ...marksOf(unit),
      ]);
      return { state: { before: sentenceBehind(state, words, written) }, elements };
    },
  };
}

function marksOf({ mark, written }: WrittenUnit): readonly TranscriptElement[] {
  // An abbreviation brings its own full stop, some names a mark.
  const isNeedless = mark === '' || (mark === '.' && /[.!?]$/.test(written));
  return isNeedless ? [] : [{ type: 'punct', value: mark }];
}

function spokenWord({ value, startFrame, endFrame }: RecognizedWord, sampleRate: number): SpokenWord {
  return { value, ts: startFrame / sampleRate, endTs: endFrame / sampleRate };
}

/** The words behind the last end of a sentence. */
function sentenceBehind(
  { before }: PostProcessState,
  words: readonly RecognizedWord[],
  written: readonly WrittenWord[],
): readonly string[] {
  const ended = written.findLastIndex(({ mark }) => endsSentence(mark));
  const values = words.slice(ended + 1).map(({ value }) => value);
  return [...(ended < 0 ? before : []), ...values].slice(-MAX_BEFORE);
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
