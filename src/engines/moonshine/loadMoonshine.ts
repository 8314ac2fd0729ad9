import { readFile } from 'node:fs/promises';
import { loadFused } from './fusedModel.ts';
import { type DecoderShape, readDecoderShape } from './graphs/exposeAttention.ts';
import { UnknownGraphError } from './graphs/moonshineWeights.ts';
import { readModel } from './graphs/onnxModel.ts';
import { loadMerged } from './mergedModel.ts';
import { type AttentionHead, LEAD_FRAMES, type MoonshineModel } from './model.ts';
import type { Runtime } from './runtime.ts';

/** Absolute paths of `encoder_model*.onnx` and `decoder_model_merged*.onnx`. */
export interface MoonshineFiles {
  readonly encoder: string;
  readonly decoder: string;
}

/**
 * Heads that follow the audio best, of the tiny and the base model by their layers: those whose word times come nearest to
 * manual ones, on read English.
 */
const BEST_HEADS: Readonly<Record<number, readonly AttentionHead[]>> = {
  6: headsAt([5, 6], [5, 4], [3, 7]),
  8: headsAt([5, 4], [6, 4], [4, 2], [6, 6]),
};

function headsAt(...places: readonly (readonly [layer: number, head: number])[]): readonly AttentionHead[] {
  return places.map(([layer, head]) => ({ layer, head }));
}

/**
 * Loads an encoder and a decoder. Their graphs are rewritten for speed, or run as they are when they are not as known.
 *
 * @throws RxscribeError `engine-failed` when the files are not a Moonshine model
 */
export async function loadMoonshine(runtime: Runtime, files: MoonshineFiles): Promise<MoonshineModel> {
  const [encoder, decoder] = [
    readModel(await readFile(files.encoder)),
    readModel(await readFile(files.decoder)),
  ];
  const shape = readDecoderShape(decoder);
  // Base has a fifth fewer errors with some audio before the utterance, tiny a fifth more.
  const leadFrames = shape.layers > 6 ? LEAD_FRAMES : 0;
  const parts = { runtime, encoder, decoder, shape, heads: headsOf(shape), leadFrames };
  try {
    return await loadFused(parts);
  } catch (error) {
    if (!(error instanceof UnknownGraphError)) throw error;
    return await loadMerged(parts);
  }
}

/** Returns the best heads; those of the upper layers for models of other sizes. */
function headsOf({ layers, heads }: DecoderShape): readonly AttentionHead[] {
  const upper = Array.from({ length: Math.ceil(layers / 2) }, (_, index) => layers - 1 - index);
  return (
    BEST_HEADS[layers] ??
    upper.flatMap(layer => Array.from({ length: heads }, (_, head) => ({ layer, head })))
  );
}
