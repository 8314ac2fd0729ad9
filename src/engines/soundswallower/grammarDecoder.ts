import createModule from 'soundswallower';
import { toFloats } from '../../audio/pcm/pcm.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';

/** Something that was heard, in frames since the start of what was searched. */
export interface HeardLabel {
  /** Absent for a pause or noise. */
  readonly label?: string;
  readonly startFrame: number;
  readonly endFrame: number;
  /** How much less likely it is than the likeliest sounds: 1 where it was said, 4 where it was not, more or less. */
  readonly misfit: number;
}

/** Finds the way through a grammar that sounds most like speech. Calls block. */
export interface GrammarDecoder {
  /** Says how a label sounds: phones with spaces between, once for each label. */
  teach(label: string, pronunciations: readonly string[]): void;
  /** What is heard along the best way, in order; nothing where no way is like the speech. */
  search(grammar: Grammar, samples: Int16Array): readonly HeardLabel[];
}

/** What of the module its own types do not tell. Decoders, grammars, words and texts are addresses or numbers. */
interface Native {
  readonly HEAPU8: Uint8Array;
  readonly Decoder: new (config: Readonly<Record<string, unknown>>) => NativeDecoder;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _decoder_logmath(decoder: number): number;
  _decoder_add_word(decoder: number, label: number, phones: number, update: number): number;
  _decoder_set_fsg(decoder: number, grammar: number): number;
  _logmath_log(logmath: number, value: number): number;
  _fsg_model_init(name: number, logmath: number, weight: number, states: number): number;
  _fsg_set_states(grammar: number, start: number, end: number): void;
  _fsg_model_word_add(grammar: number, label: number): number;
  _fsg_model_trans_add(grammar: number, from: number, to: number, log: number, word: number): void;
  _fsg_model_null_trans_add(grammar: number, from: number, to: number, log: number): number;
}

interface NativeDecoder {
  readonly cdecoder: number;
  initialize(): Promise<unknown>;
  start(): void;
  process_audio(samples: Float32Array, noSearch: boolean, isWhole: boolean): number;
  stop(): void;
  /** Seconds: where each word begins, and how long it is. */
  get_alignment(): { readonly w?: readonly NativeSegment[] };
}

/** A text, its begin and duration in seconds, and its probability next to that of the likeliest sounds, scaled. */
interface NativeSegment {
  readonly t: string;
  readonly b: number;
  readonly d: number;
  readonly p: number;
}

/** The decoder tells times in frames of its own, a hundred a second. */
const TICKS_PER_SECOND = 100;
const TICK_FRAMES = VOICE_SAMPLE_RATE / TICKS_PER_SECOND;
/** Makes of logarithms of scaled probabilities some that are easy to read. */
const PROBABILITY_SCALE = 1000;
/** Ways that are less likely than the best one by more than this are given up; wider costs time and finds no more. */
const BEAM = 1e-32;

/**
 * Loads SoundSwallower with an acoustic model and no dictionary.
 *
 * @param model directory of the acoustic model, with a slash at its end
 * @param settings of the library, in place of those that are good for texts
 */
export async function createGrammarDecoder(
  model: string,
  settings: Readonly<Record<string, number | boolean>> = {},
): Promise<GrammarDecoder> {
  const native = (await createModule()) as unknown as Native;
  const decoder = new native.Decoder({
    hmm: model,
    // Labels are taught; a dictionary that is not there is none.
    dict: `${model}none`,
    loglevel: 'FATAL',
    samprate: VOICE_SAMPLE_RATE,
    ...{ beam: BEAM, pbeam: BEAM, wbeam: BEAM },
    // Probabilities of a grammar count as they are.
    ...{ lw: 1, wip: 1 },
    ...settings,
  });
  await decoder.initialize();
  const { cdecoder } = decoder;
  const logmath = native._decoder_logmath(cdecoder);

  function withText<T>(text: string, use: (address: number) => T): T {
    const bytes = Buffer.from(`${text}\0`);
    const address = native._malloc(bytes.length);
    native.HEAPU8.set(bytes, address);
    try {
      return use(address);
    } finally {
      native._free(address);
    }
  }

  /** The decoder that is given it frees it. */
  function build({ states, start, end, arcs }: Grammar): number {
    const grammar = withText('text', name => native._fsg_model_init(name, logmath, 1, states));
    native._fsg_set_states(grammar, start, end);
    const words = new Map<string, number>();
    for (const { from, to, label, probability } of arcs) {
      const log = native._logmath_log(logmath, probability);
      if (label === undefined) {
        native._fsg_model_null_trans_add(grammar, from, to, log);
        continue;
      }
      const word = words.get(label) ?? withText(label, text => native._fsg_model_word_add(grammar, text));
      words.set(label, word);
      native._fsg_model_trans_add(grammar, from, to, log, word);
    }
    return grammar;
  }

  return {
    teach(label, pronunciations) {
      for (const [index, phones] of pronunciations.entries()) {
        const name = index === 0 ? label : `${label}(${index + 1})`;
        const word = withText(name, text =>
          withText(phones, sounds => native._decoder_add_word(cdecoder, text, sounds, 0)),
        );
        if (word < 0) throw new Error(`teach a word: the phones "${phones}" are not the model's`);
      }
    },
    search(grammar, samples) {
      if (native._decoder_set_fsg(cdecoder, build(grammar)) < 0) throw new Error('search: grammar refused');
      decoder.start();
      decoder.process_audio(toFloats(samples), false, true);
      decoder.stop();
      return (decoder.get_alignment().w ?? []).map(heardLabel);
    },
  };
}

function heardLabel({ t, b, d, p }: NativeSegment): HeardLabel {
  const ticks = Math.round(d * TICKS_PER_SECOND);
  const start = Math.round(b * TICKS_PER_SECOND);
  return {
    ...(!/^[<[(]/.test(t) && { label: t.replace(/\(\d+\)$/, '') }),
    startFrame: start * TICK_FRAMES,
    endFrame: (start + ticks) * TICK_FRAMES,
    misfit: (-PROBABILITY_SCALE * Math.log(p)) / Math.max(1, ticks),
  };
}

/** A step between two states, said or silent. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** What is said; silent without. */
  readonly label?: string;
  readonly probability: number;
}

/** What may be said: every way from one state to another. */
export interface Grammar {
  readonly states: number;
  readonly start: number;
  readonly end: number;
  readonly arcs: readonly Arc[];
}
