import { join } from 'node:path';
import { delay } from '../../base/clock.ts';
import { modelsDirectory } from '../../base/models.ts';
import { EMBEDDED_MODEL } from './catalogue.ts';
import type { CatalogueModel } from './catalogueModel.ts';
import { inspectModel } from './inspectModel.ts';
import { ModelLockedError } from './lockModel.ts';
import type { ModelDirectory } from './modelDirectory.ts';
import { modelState } from './modelState.ts';
import { type PullModelOptions, pullModel } from './pullModel.ts';

export interface EmbeddedModelOptions
  extends Pick<PullModelOptions, 'mirror' | 'onProgress' | 'onRetry' | 'signal'> {
  /** Where models are kept. Default {@link modelsDirectory}. */
  readonly directory?: string;
  /** Another model in its place. Default {@link EMBEDDED_MODEL}. */
  readonly model?: CatalogueModel;
  /** Compare checksums, too, and fetch anew what is damaged. Default false: the lengths are enough. */
  readonly verify?: boolean;
  /** Told when it is not there and is fetched. */
  readonly onFetch?: () => void;
  /** Told when another process is fetching it, for which it waits. */
  readonly onWait?: () => void;
}

/** Between two looks at what another process is fetching. */
const LOOK_MS = 250;

/**
 * Returns the directory of the recogniser that comes with rxscribe; fetches it where it is absent, once for all processes.
 * Once it is there, no network is needed.
 *
 * @throws as {@link pullModel}
 */
export async function ensureEmbeddedModel(options: EmbeddedModelOptions = {}): Promise<ModelDirectory> {
  const { directory = modelsDirectory(), model = EMBEDDED_MODEL, verify = false } = options;
  if (verify || (await modelState(model, directory)) !== 'installed')
    await fetchOrWait(model, directory, options);
  const path = join(directory, model.name);
  return model === EMBEDDED_MODEL ? embeddedDirectory(path) : inspectModel(path);
}

/** As {@link inspectModel} has it, which takes some milliseconds. */
function embeddedDirectory(path: string): ModelDirectory {
  const files = {
    encoder: join(path, 'encoder_model.onnx'),
    decoder: join(path, 'decoder_model_merged.onnx'),
  };
  return { path, kind: 'moonshine', roles: EMBEDDED_MODEL.roles, files };
}

async function fetchOrWait(
  model: CatalogueModel,
  directory: string,
  { onFetch, onWait, ...options }: EmbeddedModelOptions,
): Promise<void> {
  const { signal } = options;
  onFetch?.();
  for (let looks = 0; ; looks += 1) {
    try {
      await pullModel(model, { ...options, modelsDirectory: directory });
      return;
    } catch (error) {
      if (!(error instanceof ModelLockedError)) throw error;
      if (looks === 0) onWait?.();
      await delay(LOOK_MS, { signal });
    }
  }
}
