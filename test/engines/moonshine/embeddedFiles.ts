import { join } from 'node:path';
import { PAIRED_MODEL } from '../../../src/engines/models/catalogue.ts';
import { ensureEmbeddedModel } from '../../../src/engines/models/embeddedModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import type { MoonshineFiles } from '../../../src/engines/moonshine/loadMoonshine.ts';

/** Moonshine tiny alone, as `--model moonshine-tiny-en`. */
export async function tinyModel(): Promise<ModelDirectory> {
  const files = await embeddedFiles('tiny');
  return { path: files.encoder, kind: 'moonshine', roles: ['recognizer'], files: { ...files } };
}

/** Returns the files of Moonshine base or tiny in the default recogniser. */
export async function embeddedFiles(size: 'base' | 'tiny'): Promise<MoonshineFiles> {
  const path = await ensureEmbeddedModel({ model: PAIRED_MODEL });
  const prefix = size === 'tiny' ? 'partials_' : '';
  return {
    encoder: join(path, `${prefix}encoder_model.onnx`),
    decoder: join(path, `${prefix}decoder_model_merged.onnx`),
  };
}
