import { join, resolve } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import { inspectModel } from '../../engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../engines/models/modelDirectory.ts';
import { modelState } from '../../engines/models/modelState.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import { type ModelFlags, pullCommand } from '../flags/modelOptions.ts';

/**
 * Resolves with the model of a name in the catalogue, or of a directory.
 *
 * @throws RxscribeError `engine-missing`
 */
export async function findModel(
  chosen: string,
  { directory, catalogue }: Pick<ModelFlags, 'directory' | 'catalogue'>,
): Promise<ModelDirectory> {
  const model = (await readCatalogue(catalogue)).find(({ name }) => name === chosen);
  if (!model) return inspectModel(resolve(chosen));
  if ((await modelState(model, directory)) === 'installed') return inspectModel(join(directory, chosen));
  throw new RxscribeError(
    'engine-missing',
    `Model '${chosen}' is not installed in '${directory}'. Run: ${pullCommand(chosen, { directory, catalogue })}`,
  );
}
