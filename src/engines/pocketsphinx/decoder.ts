import { createRecentAudio } from '../../audio/recentAudio.ts';
import type { RecognizedWord } from '../recognizer.ts';
import { readAlternatives } from './alternatives.ts';
import { favourPhrases } from './favourPhrases.ts';
import type { ModelFiles } from './files.ts';
import type { PocketSphinxLibrary, Pointer } from './library.ts';
import { check, required } from './nativeFaults.ts';
import type { PhraseVocabulary } from './phraseVocabulary.ts';

/** Hz; the English model knows no other. */
export const SAMPLE_RATE = 16_000;
/** The decoder's own unit of time, in frames. */
const TICK_FRAMES = SAMPLE_RATE / 100;

/** One native decoder. Frames of words are since the start of the utterance. Calls block; after an error it is of no more use. */
export interface Decoder {
  startUtterance(): void;
  process(samples: Int16Array): void;
  /** What is heard so far. It has no confidences: during an utterance they always read 1. */
  hypothesis(): readonly RecognizedWord[];
  endUtterance(): readonly RecognizedWord[];
  /** What else the utterance that has ended could be, likeliest first; no more than `count`, without confidences. */
  alternatives(count: number): readonly (readonly RecognizedWord[])[];
}

/** A decoder that can be told what to expect. Disposing of it gives back its memory. */
export interface TeachableDecoder extends Decoder, Disposable {
  /** Makes it favour phrases; before the stream, and once. */
  favour(vocabulary: PhraseVocabulary): void;
}

/**
 * How a decoder works: `live` follows the speech; `whole` hears an utterance when it has ended, from the level of all of
 * it and with a second search, and has nothing to say before.
 */
export type DecoderMode = 'live' | 'whole';

const MODE_OPTIONS: Readonly<Record<DecoderMode, Readonly<Record<string, string>>>> = {
  // A third of the default number of states: a fifth less work and no more errors, as measured.
  live: { '-fwdflat': 'no', '-maxhmmpf': '10000' },
  whole: { '-fwdflat': 'yes' },
};

/**
 * Opens a decoder.
 *
 * @throws RxscribeError `engine-failed` when the model cannot be used
 */
export function createDecoder(
  library: PocketSphinxLibrary,
  model: ModelFiles,
  mode: DecoderMode,
): TeachableDecoder {
  const handle = initialize(library, model, mode);
  const logmath = required('ps_get_logmath', library.ps_get_logmath(handle));
  const held = createRecentAudio();
  let ended: readonly RecognizedWord[] = [];
  const search = (samples: Int16Array, isAll: boolean) =>
    check('ps_process_raw', library.ps_process_raw(handle, samples, samples.length, 0, Number(isAll)));
  const decoder: TeachableDecoder = {
    favour: vocabulary => favourPhrases(library, handle, vocabulary),
    startUtterance() {
      // The times of words begin anew with it.
      check('ps_start_stream', library.ps_start_stream(handle));
      check('ps_start_utt', library.ps_start_utt(handle));
    },
    process: samples => (mode === 'whole' ? held.push(samples) : search(samples, false)),
    hypothesis: () => (mode === 'whole' ? [] : read(library.ps_seg_iter(handle))),
    endUtterance() {
      if (mode === 'whole') {
        search(held.last(Number.POSITIVE_INFINITY), true);
        held.keep(0);
      }
      check('ps_end_utt', library.ps_end_utt(handle));
      ended = read(library.ps_seg_iter(handle), true);
      return ended;
    },
    alternatives: count => readAlternatives(library, handle, { count, best: ended, read }),
    [Symbol.dispose]: () => void library.ps_free(handle),
  };

  function read(segments: Pointer, withConfidence = false): readonly RecognizedWord[] {
    const words: RecognizedWord[] = [];
    // The iterator frees itself when it reaches the end.
    for (let segment = segments; segment; segment = library.ps_seg_next(segment)) {
      const [start, end] = ticksOf(segment);
      const value = plainWord(library.ps_seg_word(segment));
      if (value === undefined) continue;
      const span = { value, startFrame: start * TICK_FRAMES, endFrame: (end + 1) * TICK_FRAMES };
      words.push(withConfidence ? { ...span, confidence: confidenceOf(segment) } : span);
    }
    return words;
  }

  function ticksOf(segment: Pointer): readonly [number, number] {
    const start: [number] = [0];
    const end: [number] = [0];
    library.ps_seg_frames(segment, start, end);
    return [start[0], end[0]];
  }

  function confidenceOf(segment: Pointer): number {
    const posterior = library.logmath_exp(logmath, library.ps_seg_prob(segment, [0], [0], [0]));
    // Rounding in the log domain gives values a little over 1.
    return Math.min(1, Math.round(posterior * 1000) / 1000);
  }

  return decoder;
}

/** A word of the dictionary as written, or undefined for silence and noise. */
export function plainWord(entry: string | null): string | undefined {
  if (entry === null || /^[<[+]/.test(entry)) return undefined;
  // "read(2)" is a second pronunciation; "a." is the letter, "etc." an abbreviation.
  return entry.replace(/\(\d+\)$/, '').replace(/^([^.]+)\.$/, '$1');
}

function initialize(library: PocketSphinxLibrary, model: ModelFiles, mode: DecoderMode): Pointer {
  const options: Readonly<Record<string, string>> = {
    '-hmm': model.acousticModel,
    '-lm': model.languageModel,
    '-dict': model.dictionary,
    // What is silence is known already, and every tick counts: the clock is that of the samples.
    '-remove_silence': 'no',
    ...MODE_OPTIONS[mode],
  };
  const typed = Object.entries(options).flatMap(pair => pair.flatMap(text => ['str', text]));
  const definitions = required('ps_args', library.ps_args());
  const config = required('cmd_ln_init', library.cmd_ln_init(null, definitions, 1, ...typed, 'str', null));
  return required('ps_init', library.ps_init(config));
}
