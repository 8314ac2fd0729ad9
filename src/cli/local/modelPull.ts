import { createInterface } from 'node:readline/promises';
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
  flags: ModelFlags & { readonly mirror?: string; readonly acceptTerms?: boolean },
): Promise<void> {
  const { stdout } = context;
  const catalogue = await readCatalogue(flags.catalogue);
  const models = names.map(name => modelNamed(name, catalogue));
  if (!flags.acceptTerms) for (const model of models) await requireConsent(model, context);
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

/**
 * Shows the terms of a model, and asks for consent in a terminal.
 *
 * @throws InvalidArgumentError without consent
 */
async function requireConsent({ name, licence, terms }: CatalogueModel, context: Context): Promise<void> {
  if (terms === undefined) return;
  const { stdin, stderr } = context;
  stderr.write(`${name} is under the ${licence}. ${terms}\n`);
  const canAsk = (stdin as Partial<NodeJS.ReadStream>).isTTY;
  if (canAsk) {
    const lines = createInterface({ input: stdin, output: stderr });
    const answer = await lines.question('Do you accept these terms? [y/N] ').finally(() => lines.close());
    if (/^y(es)?$/i.test(answer.trim())) return;
  }
  const remedy = canAsk ? '' : ' To accept them, add --accept-terms.';
  throw new InvalidArgumentError(`The terms of '${name}' were not accepted.${remedy}`);
}

/** @throws InvalidArgumentError for a name that is not in the catalogue */
function modelNamed(name: string, catalogue: readonly CatalogueModel[]): CatalogueModel {
  const model = catalogue.find(candidate => candidate.name === name);
  if (model) return model;
  throw new InvalidArgumentError(`Model '${name}' is unknown. See 'rxscribe model list'.`);
}
