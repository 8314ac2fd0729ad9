import type { ModelDirectory } from '../models/modelDirectory.ts';
import { readOnnxMetadata } from '../models/onnxMetadata.ts';

/** Frames of 10 ms that the library takes a step of NeMo's streaming CTC models for, whatever their metadata say. */
const ASSUMED_SUBSAMPLING = 4;

/** Seconds that a second of the library's times stands for, with this model. */
export async function timeScaleOf({ kind, files }: ModelDirectory): Promise<number> {
  if (kind !== 'online-nemo-ctc') return 1;
  try {
    const metadata = await readOnnxMetadata(files.model!);
    const subsampling = Number(metadata.get('subsampling_factor'));
    return subsampling > 0 ? subsampling / ASSUMED_SUBSAMPLING : 1;
  } catch {
    // Whoever loads it says what is wrong with it.
    return 1;
  }
}
