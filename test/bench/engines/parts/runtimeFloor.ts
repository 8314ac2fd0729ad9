import { toFloats } from '../../../../src/audio/pcm/pcm.ts';
import { decodeHypotheses } from '../../../../src/engines/moonshine/hypothesis.ts';
import { loadMoonshine } from '../../../../src/engines/moonshine/loadMoonshine.ts';
import { LEAST_FRAMES, type MoonshineModel } from '../../../../src/engines/moonshine/model.ts';
import { createNativeRuntime } from '../../../../src/engines/moonshine/nativeRuntime.ts';
import { createWasmRuntime } from '../../../../src/engines/moonshine/wasmRuntime.ts';
import { findNativeLibrary } from '../../../../src/engines/native/nativeLibrary.ts';
import { embeddedFiles } from '../../../engines/moonshine/embeddedFiles.ts';
import { cpuSecondsOf } from '../../../helpers/cpuSeconds.ts';
import { speechSpansOf } from './speechSpansOf.ts';

export const RUNTIMES = ['native', 'wasm'] as const;
export type RuntimeName = (typeof RUNTIMES)[number];

/** Returns the processor time of ONNX Runtime alone for utterances: one encoding and one decoding each. */
export async function runtimeFloor(runtime: RuntimeName, recordings: readonly Int16Array[]): Promise<number> {
  const model = await loadModel(runtime);
  const utterances: Int16Array[] = [];
  for (const samples of recordings) {
    for (const { startFrame, endFrame } of await speechSpansOf(samples)) {
      const frames = Math.max(LEAST_FRAMES, endFrame - startFrame);
      utterances.push(samples.subarray(startFrame, startFrame + frames));
    }
  }
  const decode = async (audio: Int16Array) => {
    const decoding = await model.decode(toFloats(audio));
    await decodeHypotheses(decoding);
    decoding.close();
  };
  await decode(utterances[0]!); // what is made ready once
  return cpuSecondsOf(async () => {
    for (const audio of utterances) await decode(audio);
  });
}

async function loadModel(name: RuntimeName): Promise<MoonshineModel> {
  const runtime = name === 'native' ? createNativeRuntime(findNativeLibrary()!) : await createWasmRuntime();
  return loadMoonshine(runtime, await embeddedFiles(name === 'native' ? 'base' : 'tiny'));
}
