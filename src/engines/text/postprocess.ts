import type { Clock } from '../../base/clock.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';
import { maskProfanity } from '../../transcript/text/profanity.ts';
import { wordKey } from '../../transcript/text/tokens.ts';
import type { Spellings } from '../phrases/spellings.ts';
import type { Punctuator, SpokenWord, WrittenWord } from '../punctuator.ts';
import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { withoutDisfluencies } from './disfluencies.ts';
import { areWritten, engineWriting, joinedAsWritten } from './engineWriting.ts';
import { writeNumbers } from './numbers/writeNumbers.ts';
import { createPunctuation } from './punctuation.ts';
import { endsSentence, unitsOf, type WrittenUnit } from './writtenUnits.ts';

export interface PostProcessOptions {
  /** Frames in a second of the results, in Hz: the engine's `capabilities.sampleRate`. */
  readonly sampleRate: number;
  /** ISO 639-1 code. Default `en`; numbers and disfluencies are English. */
  readonly language?: string;
  /** True to keep words as recognised: lower case, without punctuation, numbers in words. Default false. */
  readonly skipPostprocessing?: boolean;
  /** True to replace all letters of a profane word but the first and last by `*`. Default false. */
  readonly filterProfanity?: boolean;
  /** True to omit "um", "uh" and the like, and stutters. Default false. */
  readonly removeDisfluencies?: boolean;
  /** Spellings of vocabulary phrases in finals, unless post-processing is skipped. */
  readonly spellings?: Spellings;
  /**
   * Default: `createPunctuator()`. In languages that it does not support, each utterance becomes a sentence.
   */
  readonly punctuator?: Punctuator;
  /** Called once when the punctuator fails; its utterances become plain sentences. Default: ignored. */
  readonly onError?: (error: unknown) => void;
  /** Clock of the punctuator's timeout. Default: the system's. */
  readonly clock?: Clock;
}

/** The context that one final passes to the next. */
export interface PostProcessState {
  /** Last words of an unfinished sentence; empty when a new one begins. */
  readonly before: readonly string[];
}

export interface FinalOptions {
  /** Next words of the same speaker, where known, as in a recording. */
  readonly after?: readonly RecognizedWord[];
  readonly signal?: AbortSignal;
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };
/** The text of a final without words. */
const INAUDIBLE: TranscriptElement = { type: 'unknown', value: '<inaudible>' };
/** Limit of the words of an unfinished sentence. */
const MAX_BEFORE = 100;
/** Number of next words that are considered. */
const MAX_AFTER = 3;

/**
 * Creates English text from recognised words: sentences with capitals and marks, numbers in digits. Capitals
 * and marks of the engine are kept. A final never rewrites an earlier one.
 *
 * @example
 * const post = createPostProcessor({ sampleRate: 16000 });
 * let state = post.start;
 * const step = await post.final(state, result); // "He was not an ill disposed young man."
 * state = step.state;
 */
export function createPostProcessor(options: PostProcessOptions) {
  const { sampleRate, language = 'en', skipPostprocessing = false, spellings } = options;
  const show = options.filterProfanity ? maskProfanity : (word: string) => word;
  const punctuate = createPunctuation(options);
  const kept = (words: readonly RecognizedWord[]) =>
    options.removeDisfluencies && language === 'en' ? withoutDisfluencies(words) : words;
  return {
    /** The context before the first final. */
    start: { before: [] } as PostProcessState,
    /** Returns whether anything of a final remains to show. */
    hasText: ({ words }: RecognizerResult) => words.length === 0 || kept(words).length > 0,
    /**
     * Returns the spoken words of a partial, with the capitals and inner marks of an engine that writes sentences. Profanity and
     * disfluencies are handled as in finals.
     */
    async partial({ before }: PostProcessState, result: RecognizerResult) {
      const words = kept(result.words);
      const written =
        !skipPostprocessing && areWritten(words) ? await engineWriting(words, { words: [], before }) : [];
      return words.map((word, index) => {
        const { value, mark } = written[index] ?? { value: word.value, mark: '' };
        // Figures may change with the next word, and the engine takes the end of the audio for the end of a sentence.
        const isSpoken = wordKey(value) === wordKey(word.value);
        const text = isSpoken ? show(value) + (index < words.length - 1 ? mark : '') : show(word.value);
        return textElement(word, text, sampleRate);
      });
    },
    /**
     * Returns the elements of a final and the context of the next one; no elements when nothing remains to
     * show.
     *
     * @throws only the signal's reason
     */
    async final(state: PostProcessState, result: RecognizerResult, { after, signal }: FinalOptions = {}) {
      if (result.words.length === 0) return { state, elements: [INAUDIBLE] };
      const words = kept(result.words);
      if (skipPostprocessing) {
        const texts = words.map(word => textElement(word, show(word.value), sampleRate));
        return { state, elements: texts.flatMap((text, index) => (index === 0 ? [text] : [SPACE, text])) };
      }
      const spoken = (word: RecognizedWord) => spokenWord(word, sampleRate);
      const next = after && kept(after);
      // Next words that are all omitted do not prove that the speaker stops.
      const isNextKnown = next && (next.length > 0 || after.length === 0);
      const utterance = {
        words: words.map(spoken),
        before: state.before,
        goesOn: result.cut ?? false,
        ...(isNextKnown && { after: next.slice(0, MAX_AFTER).map(spoken) }),
      };
      const written = areWritten(words)
        ? await engineWriting(words, utterance)
        : await punctuate(utterance, signal);
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
  // An abbreviation ends in its own full stop, and some names in a mark.
  const isNeedless = mark === '' || (mark === '.' && /[.!?]$/.test(written));
  return isNeedless ? [] : [{ type: 'punct', value: mark }];
}

function spokenWord({ value, startFrame, endFrame }: RecognizedWord, sampleRate: number): SpokenWord {
  return { value, ts: startFrame / sampleRate, endTs: endFrame / sampleRate };
}

/** Returns the words after the last end of a sentence. */
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
