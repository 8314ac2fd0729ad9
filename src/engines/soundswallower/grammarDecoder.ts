import { fileURLToPath } from 'node:url';
import createModule from 'soundswallower';
import { toFloats } from '../../audio/pcm/pcm.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';

/** Directory of the acoustic model of English, with a trailing slash. */
export const ENGLISH_MODEL = fileURLToPath(new URL('./model/en-us/', import.meta.resolve('soundswallower')));
/** Time resolution of the decoder. */
const TICKS_PER_SECOND = 100;
export const TICK_FRAMES = VOICE_SAMPLE_RATE / TICKS_PER_SECOND;

/** A label found in audio, in frames since the start of that audio. */
export interface FoundLabel {
  /** Absent for a pause or noise. */
  readonly label?: string;
  readonly startFrame: number;
  readonly endFrame: number;
  /** Distance from the likeliest sounds: about 1 for a word that was said, 4 for one that was not. */
  readonly misfit: number;
}

/** A search for the path through a grammar that sounds most like the speech. Calls block. */
export type GrammarDecoder = Awaited<ReturnType<typeof createGrammarDecoder>>;

/**
 * The functions of the module that its own types lack. Decoders, grammars, words and texts are addresses or
 * indexes.
 */
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
  /** Start and duration of each word in seconds. */
  get_alignment(): { readonly w?: readonly NativeSegment[] };
}

/** A text, its start and duration in seconds, and its scaled probability relative to the likeliest sounds. */
interface NativeSegment {
  readonly t: string;
  readonly b: number;
  readonly d: number;
  readonly p: number;
}

/** Scale of the misfit, for readable numbers. */
const PROBABILITY_SCALE = 1000;
/** Limit of the probability relative to the best path. A wider beam costs time and finds no more. */
const BEAM = 1e-32;

/**
 * Loads SoundSwallower with its English acoustic model and without a dictionary.
 *
 * @param settings of the library, which replace the defaults for texts
 */
export async function createGrammarDecoder(settings: Readonly<Record<string, number | boolean>> = {}) {
  const native = (await createModule()) as unknown as Native;
  const decoder = new native.Decoder({
    hmm: ENGLISH_MODEL,
    // Labels are taught; a missing dictionary counts as an empty one.
    dict: `${ENGLISH_MODEL}none`,
    loglevel: 'FATAL',
    samprate: VOICE_SAMPLE_RATE,
    beam: BEAM,
    pbeam: BEAM,
    wbeam: BEAM,
    // No weights: the probabilities of a grammar count as they are.
    lw: 1,
    wip: 1,
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

  /** Builds a native grammar. The decoder that gets it frees it. */
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
    /**
     * Registers the pronunciations of a label, phones separated by spaces. To be called once for each label.
     */
    teach(label: string, pronunciations: readonly string[]) {
      for (const [index, phones] of pronunciations.entries()) {
        const name = index === 0 ? label : `${label}(${index + 1})`;
        const word = withText(name, text =>
          withText(phones, sounds => native._decoder_add_word(cdecoder, text, sounds, 0)),
        );
        if (word < 0) throw new Error(`Cannot teach a word: the model lacks some of the phones '${phones}'.`);
      }
    },
    /** Returns the labels of the best path in order; empty when no path resembles the speech. */
    search(grammar: Grammar, samples: Int16Array) {
      if (native._decoder_set_fsg(cdecoder, build(grammar)) < 0)
        throw new Error('Cannot search: the grammar was rejected.');
      decoder.start();
      decoder.process_audio(toFloats(samples), false, true);
      decoder.stop();
      return (decoder.get_alignment().w ?? []).map(foundLabel);
    },
  };
}

function foundLabel({ t, b, d, p }: NativeSegment): FoundLabel {
  const ticks = Math.round(d * TICKS_PER_SECOND);
  const start = Math.round(b * TICKS_PER_SECOND);
  return {
    ...(!/^[<[(]/.test(t) && { label: t.replace(/\(\d+\)$/, '') }),
    startFrame: start * TICK_FRAMES,
    endFrame: (start + ticks) * TICK_FRAMES,
    misfit: (-PROBABILITY_SCALE * Math.log(p)) / Math.max(1, ticks),
  };
}

/** A transition between two states, spoken or silent. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** Label of the spoken word. Default: silent. */
  readonly label?: string;
  readonly probability: number;
}

/** A finite-state grammar: all paths from the start state to the end state. */
export interface Grammar {
  readonly states: number;
  readonly start: number;
  readonly end: number;
  readonly arcs: readonly Arc[];
}
