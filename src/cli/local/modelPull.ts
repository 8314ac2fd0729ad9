import { InvalidArgumentError } from '../../base/errors.ts';
import type { CatalogueModel } from '../../engines/models/catalogue.ts';
import { pullModel } from '../../engines/models/pullModel.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import type { Context } from '../context.ts';
import type { ModelFlags } from '../flags/modelOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import { progressLine } from '../print/progressLine.ts';

export interface ModelPullFlags extends ModelFlags {
  readonly mirror?: string;
}

/** Fetches one model after the other, up to the first that fails. */
export async function runModelPull(
  context: Context,
  names: readonly string[],
  flags: ModelPullFlags,
): Promise<void> {
  const { stdout, stderr } = context;
  const catalogue = await readCatalogue(flags.catalogue);
  const models = names.map(name => modelNamed(name, catalogue));
  using interruption = takeInterruptions(context);
  const { signal } = interruption;
  using progress = progressLine(stderr);
  try {
    for (const model of models) {
      const { name } = model;
      progress.show(`checking ${name}`);
      const directory = await pullModel(model, {
        modelsDirectory: flags.directory,
        mirror: flags.mirror,
        signal,
        onProgress: fraction => progress.show(`fetching ${name}`, fraction),
        onRetry: reason => {
          const text = `fetching ${name} again after ${reason}`;
          if (stderr.isTTY) progress.show(text);
          else progress.note(text);
        },
      });
      progress.hide();
      stdout.write(`${directory}\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.note('Interrupted. Run the same command to continue.');
  }
}

/** @throws InvalidArgumentError for a name that is not in the catalogue */
function modelNamed(name: string, catalogue: readonly CatalogueModel[]): CatalogueModel {
  const model = catalogue.find(candidate => candidate.name === name);
  if (model) return model;
  throw new InvalidArgumentError(`Model '${name}' is unknown. See 'rxscribe model list'.`);
}
