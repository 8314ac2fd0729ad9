/** The process that holds the model, so that a crash of the native library ends only this process. */
import { serveWork } from '../process/serveWork.ts';
import { type DecodedWord, decodedWords } from './decodedWords.ts';
import {
  type DecodedSpan,
  decodeOnce,
  decodeUtterance,
  isNoSpeech,
  isSuspicious,
  type Utterance,
} from './decodeUtterance.ts';
import { loadMoonshine, type MoonshineFiles } from './loadMoonshine.ts';
import type { MoonshineModel } from './model.ts';
import { createNativeRuntime } from './nativeRuntime.ts';
import { createFavour, type Favour } from './phraseTrie.ts';
import { createWasmRuntime } from './wasmRuntime.ts';

/** Hypotheses of a final that are followed at once. */
const BEAMS = 2;

/** The files that a process loads. */
export interface MoonshineSetup {
  readonly files: MoonshineFiles;
  /** A smaller model for partials. Default: the same. */
  readonly partials?: MoonshineFiles | undefined;
  /** Path of the native library. Default: WebAssembly. */
  readonly library?: string;
}

export interface MoonshineMethods {
  /** Stores phrases that later requests name by the id. */
  learn(id: number, phrases: readonly string[]): void;
  forget(id: number): void;
  decode(request: DecodeRequest): Promise<DecodedUtterance>;
}

/** An utterance to decode. */
export interface DecodeRequest extends Utterance {
  /**
   * `partial`: the likeliest token at each step; `once`: the best of {@link BEAMS} hypotheses; `full`: the same, and again
   * with other edges where the result is suspicious.
   */
  readonly effort: 'partial' | 'once' | 'full';
  /** True for the model for partials. */
  readonly isQuick: boolean;
  /** Tokens of the last partial, which make the next one cheaper. */
  readonly guess?: readonly number[];
  /** Id of learnt phrases. */
  readonly phrases?: number | undefined;
}

export interface DecodedUtterance {
  readonly words: readonly DecodedWord[];
  readonly tokens: readonly number[];
  /** True when the tokens repeat themselves. */
  readonly isLoop: boolean;
  /** True when another try could be better. */
  readonly isSuspicious: boolean;
  /** True for the result of full effort when somebody speaks, but no word can be understood. */
  readonly isInaudible: boolean;
}

async function decode(
  model: MoonshineModel,
  request: DecodeRequest,
  favour: Favour | undefined,
): Promise<DecodedUtterance> {
  const { effort, guess } = request;
  const options = { guess, favour, beams: effort === 'partial' ? 1 : BEAMS };
  const spans =
    effort === 'full'
      ? await decodeUtterance(model, request, options)
      : [await decodeOnce(model, request, options)];
  return {
    words: spans.flatMap(span => decodedWords(span, request.samples)),
    tokens: spans.flatMap(({ hypothesis }) => hypothesis.tokens),
    isLoop: spans.some(({ hypothesis }) => hypothesis.stop === 'loop'),
    isSuspicious: spans.some(needsAnotherTry),
    isInaudible: spans.some(span => span.hypothesis.tokens.length === 0 && !isNoSpeech(span)),
  };
}

function needsAnotherTry(span: DecodedSpan): boolean {
  return isSuspicious(span) && !isNoSpeech(span);
}

serveWork<MoonshineSetup, MoonshineMethods>(async ({ files, partials, library }) => {
  const runtime = library ? createNativeRuntime(library) : await createWasmRuntime();
  const model = await loadMoonshine(runtime, files);
  const quick = partials ? await loadMoonshine(runtime, partials) : model;
  const favours = new Map<number, Favour>();
  return () => ({
    learn: (id, phrases) => void favours.set(id, createFavour(phrases)),
    forget: id => void favours.delete(id),
    decode: request => decode(request.isQuick ? quick : model, request, favours.get(request.phrases ?? -1)),
  });
});
