/** The process that holds the model, so that a crash of the native library ends only this process. */
import { returnMemory } from '../native/returnMemory.ts';
import { serveWork } from '../process/serveWork.ts';
import { type DecodedWord, decodedWords } from './decodedWords.ts';
import { decodeUtterance, judge, type Utterance } from './decodeUtterance.ts';
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
  /** ISO 639-1. Figures are spoken in English only. Default `en`. */
  readonly language?: string | undefined;
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
  /** True for the likeliest token at each step; false for the best of {@link BEAMS} hypotheses, if it is likely enough. */
  readonly isPartial: boolean;
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
  /** True when somebody speaks, but no word can be understood; never for a partial. */
  readonly isInaudible: boolean;
}

async function decode(
  model: MoonshineModel,
  request: DecodeRequest,
  { favour, language }: { readonly favour: Favour | undefined; readonly language: string | undefined },
): Promise<DecodedUtterance> {
  const { guess, isPartial } = request;
  const span = await decodeUtterance(model, request, { guess, favour, beams: isPartial ? 1 : BEAMS });
  const { tokens, stop } = span.hypothesis;
  const judgement = isPartial ? 'words' : judge(span);
  return {
    words: judgement === 'words' ? decodedWords(span, request.samples, language) : [],
    tokens,
    isLoop: stop === 'loop',
    isInaudible: judgement === 'inaudible',
  };
}

serveWork<MoonshineSetup, MoonshineMethods>(async ({ files, partials, library, language }) => {
  const runtime = library ? createNativeRuntime(library) : await createWasmRuntime();
  const load = async (each: MoonshineFiles) => {
    const model = await loadMoonshine(runtime, each);
    // V8 leaves 200 MB of files and rewritten graphs for long.
    await returnMemory();
    return model;
  };
  const model = await load(files);
  const quick = partials ? await load(partials) : model;
  const favours = new Map<number, Favour>();
  return () => ({
    learn: (id, phrases) => void favours.set(id, createFavour(phrases)),
    forget: id => void favours.delete(id),
    decode: request =>
      decode(request.isQuick ? quick : model, request, {
        favour: favours.get(request.phrases ?? -1),
        language,
      }),
  });
});
