import { InvalidArgumentError } from '../../base/errors.ts';
import type { CatalogueModel } from '../../engines/models/catalogueModel.ts';
import { pullModel } from '../../engines/models/pullModel.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import type { ModelFlags } from '../flags/modelOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import { progressLine } from '../print/progressLine.ts';

export interface ModelPullFlags extends ModelFlags {
  readonly mirror?: string;
}

/** Fetches one model after the other, up to the first that cannot be had. */
export async function runModelPull(names: readonly string[], flags: ModelPullFlags): Promise<void> {
  const catalogue = await readCatalogue(flags.catalogue);
  const models = names.map(name => modelNamed(name, catalogue));
  using interruption = takeInterruptions();
  const { signal } = interruption;
  using progress = progressLine(process.stderr);
  try {
    for (const model of models) {
      const { name } = model;
      progress.show(`looking at ${name}`);
      const directory = await pullModel(model, {
        modelsDirectory: flags.directory,
        mirror: flags.mirror,
        signal,
        onProgress: fraction => progress.show(`fetching ${name}`, fraction),
        onRetry: reason => {
          const text = `fetching ${name} again after ${reason}`;
          if (process.stderr.isTTY) progress.show(text);
          else progress.note(text);
        },
      });
      progress.hide();
      process.stdout.write(`${directory}\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.note('interrupted: the same command goes on from there');
  }
}

/** @throws InvalidArgumentError for a name that the catalogue does not have */
function modelNamed(name: string, catalogue: readonly CatalogueModel[]): CatalogueModel {
  const model = catalogue.find(candidate => candidate.name === name);
  if (model) return model;
  throw new InvalidArgumentError(
    `find model: wanted a name that rxscribe model list shows, found ${JSON.stringify(name)}`,
  );
}
