// @module-tag tools

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { loadFused } from '../../../src/engines/moonshine/fusedModel.ts';
import { readDecoderShape } from '../../../src/engines/moonshine/graphs/exposeAttention.ts';
import { readModel } from '../../../src/engines/moonshine/graphs/onnxModel.ts';
import { loadMerged } from '../../../src/engines/moonshine/mergedModel.ts';
import type { MoonshineDecoding, MoonshineModel } from '../../../src/engines/moonshine/model.ts';
import { createNativeRuntime } from '../../../src/engines/moonshine/nativeRuntime.ts';
import type { Runtime } from '../../../src/engines/moonshine/runtime.ts';
import { START_TOKEN } from '../../../src/engines/moonshine/tokens.ts';
import { createWasmRuntime } from '../../../src/engines/moonshine/wasmRuntime.ts';
import { findNativeLibrary } from '../../../src/engines/native/nativeLibrary.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { embeddedFiles } from './embeddedFiles.ts';

const HEADS = [
  { layer: 5, head: 6 },
  { layer: 3, head: 7 },
];
const audio = toFloats(readSampleSpeech('not-ill-disposed').subarray(0, 16_000));

/** A process loads the library once. */
let native: Runtime | undefined;
const nativeRuntime = () => {
  native ??= createNativeRuntime(findNativeLibrary()!);
  return native;
};

const WAYS = {
  'the rewritten graphs, by the native library': [nativeRuntime, loadFused],
  'the rewritten graphs, by WebAssembly': [createWasmRuntime, loadFused],
  'the graphs as they are, by WebAssembly': [createWasmRuntime, loadMerged],
} as const;

async function load(way: (typeof WAYS)[keyof typeof WAYS]): Promise<MoonshineModel> {
  const files = await embeddedFiles('tiny');
  const [encoder, decoder] = [
    readModel(await readFile(files.encoder)),
    readModel(await readFile(files.decoder)),
  ];
  const [createRuntime, loadBy] = way;
  const runtime = await createRuntime();
  return loadBy({ runtime, encoder, decoder, shape: readDecoderShape(decoder), heads: HEADS, leadFrames: 0 });
}

/** The log probabilities of the last token of each beam after some steps, and the attention of the first head there. */
async function resultsOf(
  model: MoonshineModel,
  decode: (decoding: MoonshineDecoding) => ReturnType<MoonshineDecoding['step']>,
) {
  const decoding = await model.decode(audio);
  const steps = await decode(decoding);
  const found = steps.map(({ logProbabilities, attention: [head] }) => ({
    likely: logProbabilities.slice(-32_768),
    attention: head!.slice(-decoding.positions),
  }));
  decoding.close();
  return found;
}

function alone(model: MoonshineModel, ...tokens: readonly number[]) {
  return resultsOf(model, async decoding => {
    await decoding.step([[START_TOKEN]]);
    for (const token of tokens.slice(0, -1)) await decoding.step([[token]]);
    return decoding.step([tokens.slice(-1)]);
  });
}

describe.for(Object.entries(WAYS))('%s', { timeout: 120_000 }, ([, way]) => {
  it('give probabilities and attention near to those of the graphs as they are', async context => {
    await needsRecognizer(context);
    const [model, plain] = [await load(way), await load(WAYS['the graphs as they are, by WebAssembly'])];
    for (const tokens of [[940], [940, 471, 451], Array.from({ length: 90 }, (_, at) => 400 + at)]) {
      const [[one], [other]] = [await alone(model, ...tokens), await alone(plain, ...tokens)];
      expect(sum(one!.likely.map(Math.exp))).toBeCloseTo(1, 4);
      expect(sum(one!.attention)).toBeCloseTo(1, 4);
      expect(distance(one!.likely.map(Math.exp), other!.likely.map(Math.exp))).toBeLessThan(0.2);
      expect(distance(one!.attention, other!.attention)).toBeLessThan(0.2);
    }
  });

  it('give beams that share a step, and one that forgets tokens, what each gets alone', async context => {
    await needsRecognizer(context);
    const model = await load(way);
    const together = await resultsOf(model, async decoding => {
      await decoding.step([[START_TOKEN, 940, 471, 451]]);
      decoding.truncate(2);
      await decoding.step([[300], [400], [500]], [0, 0, 0]);
      await decoding.step([[600], [700]], [2, 0]);
      return decoding.step([[800], [900]], [1, 0]);
    });
    const [first, second] = [
      ...(await alone(model, 940, 300, 700, 800)),
      ...(await alone(model, 940, 500, 600, 900)),
    ];
    expect(together).toHaveLength(2);
    // Activations are quantised with one scale for all beams, which changes the results a little.
    for (const part of ['likely', 'attention'] as const) {
      const distances = together.map(beam =>
        [first!, second!].map(other => distance(beam[part], other[part])),
      );
      expect(distances[0]![0]).toBeLessThan(distances[0]![1]! / 4);
      expect(distances[1]![1]).toBeLessThan(distances[1]![0]! / 4);
    }
  });
});

const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0);

/** Root of the sum of squared differences. */
function distance(some: Float32Array, others: Float32Array): number {
  return Math.hypot(...some.map((value, at) => value - others[at]!));
}
