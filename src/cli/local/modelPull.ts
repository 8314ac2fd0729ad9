import { InvalidArgumentError } from '../../base/errors.ts';
import type { CatalogueModel } from '../../engines/models/catalogue.ts';
import { pullModel } from '../../engines/models/pullModel.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import type { Context } from '../context.ts';
import type { ModelFlags } from '../flags/modelOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';

/** Fetches one model after the other, up to the first that fails. */
export async function runModelPull(
  context: Context,
  names: readonly string[],
  flags: ModelFlags & { readonly mirror?: string },
): Promise<void> {
  const { stdout } = context;
  const catalogue = await readCatalogue(flags.catalogue);
  const models = names.map(name => modelNamed(name, catalogue));
  const pull = async ({ signal, progress }: Work) => {
    for (const model of models) {
      const { name } = model;
      progress.show(`checking ${name}`);
      const directory = await pullModel(model, {
        modelsDirectory: flags.directory,
        mirror: flags.mirror,
        signal,
        onProgress: fraction => progress.show(`fetching ${name}`, fraction),
        onRetry: reason => progress.step(`fetching ${name} again after ${reason}`),
      });
      progress.hide();
      stdout.write(`${directory}\n`);
    }
  };
  await interruptible(context, pull, { note: 'Interrupted. Run the same command to continue.' });
}

/** @throws InvalidArgumentError for a name that is not in the catalogue */
function modelNamed(name: string, catalogue: readonly CatalogueModel[]): CatalogueModel {
  const model = catalogue.find(candidate => candidate.name === name);
  if (model) return model;
  throw new InvalidArgumentError(`Model '${name}' is unknown. See 'rxscribe model list'.`);
}
