import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { delay } from '../../base/clock.ts';
import { modelsDirectory } from '../../base/models.ts';
import { findNativeLibrary } from '../native/nativeLibrary.ts';
import { type CatalogueModel, PAIRED_MODEL, SMALL_MODEL } from './catalogue.ts';
import { ModelLockedError } from './lockModel.ts';
import { modelState } from './modelState.ts';
import { type PullModelOptions, pullModel } from './pullModel.ts';

export interface EmbeddedModelOptions
  extends Pick<PullModelOptions, 'mirror' | 'onProgress' | 'onRetry' | 'signal'> {
  /** Models directory. Default {@link modelsDirectory}. */
  readonly directory?: string;
  /** Model to use instead. Default {@link embeddedModel}. */
  readonly model?: CatalogueModel;
  /**
   * True to compare checksums too and download damaged files again. Default false: only sizes are compared.
   */
  readonly verify?: boolean;
  /** Called when the model is missing and its download starts. */
  readonly onFetch?: () => void;
  /** Called when another process is downloading it, so that this one waits. */
  readonly onWait?: () => void;
}

/** Memory from which two models fit: that of a machine with 4 GB, without what its firmware takes. */
const LEAST_PAIRED_BYTES = 3.5 * 1024 ** 3;
/** Milliseconds between two checks of another process's download. */
const LOOK_MS = 250;

/** Returns the default recogniser of this machine: the pair with the native library, two cores and 4 GB of memory, else the small one. */
export function embeddedModel(): CatalogueModel {
  // Zero without a limit.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || totalmem());
  const isLarge = availableParallelism() >= 2 && bytes >= LEAST_PAIRED_BYTES;
  return isLarge && findNativeLibrary() ? PAIRED_MODEL : SMALL_MODEL;
}

/**
 * Returns the directory of the default recogniser's model; downloads it if it is missing, once for all
 * processes. With the model in place, it needs no network.
 *
 * @throws as {@link pullModel}
 */
export async function ensureEmbeddedModel(options: EmbeddedModelOptions = {}): Promise<string> {
  const { directory = modelsDirectory(), model = embeddedModel(), verify = false } = options;
  if (verify || (await modelState(model, directory)) !== 'installed')
    await fetchOrWait(model, directory, options);
  return join(directory, model.name);
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
