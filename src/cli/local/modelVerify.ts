import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import type { CatalogueModel } from '../../engines/models/catalogue.ts';
import { inspectModel } from '../../engines/models/inspectModel.ts';
import { type FileFault, findFaults, modelState } from '../../engines/models/modelState.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type ModelFlags, pullCommand } from '../flags/modelOptions.ts';
import { type Column, printRecords } from '../print/table.ts';

interface Verdict {
  readonly model: string;
  /** `unknown`: a usable model without known checksums. */
  readonly verdict: 'right' | 'wrong' | 'unknown';
  readonly detail?: string;
}

const COLUMNS: readonly Column<Verdict>[] = [
  ['model', ({ model }) => model],
  ['verdict', ({ verdict }) => verdict],
  ['detail', ({ detail }) => detail],
];

/** Prints a verdict for each model, and sets the exit code. */
export async function runModelVerify(
  context: Context,
  names: readonly string[],
  flags: ModelFlags,
): Promise<void> {
  const catalogue = await readCatalogue(flags.catalogue);
  const known = new Map(catalogue.map(model => [model.name, model]));
  for (const name of names) {
    if (!known.has(name)) await checkDirectory(name);
  }
  const wanted = names.length > 0 ? names : await startedModels(catalogue, flags.directory);
  if (wanted.length === 0) context.stderr.write(`There is no model in '${flags.directory}'.\n`);
  const verdicts: Verdict[] = [];
  for (const name of wanted) {
    const model = known.get(name);
    verdicts.push(await (model ? verifyKnown(model, flags) : verifyDirectory(name)));
  }
  printRecords(context.stdout, verdicts, COLUMNS, { json: flags.json });
  if (verdicts.some(({ verdict }) => verdict === 'wrong')) context.exitCode = EXIT.unreadableInput;
}

async function checkDirectory(name: string): Promise<void> {
  const stats = await stat(name).catch(() => undefined);
  if (stats?.isDirectory()) return;
  throw new InvalidArgumentError(`'${name}' is neither a directory nor a model of 'rxscribe model list'.`);
}

async function startedModels(
  catalogue: readonly CatalogueModel[],
  directory: string,
): Promise<readonly string[]> {
  const states = await Promise.all(catalogue.map(model => modelState(model, directory)));
  return catalogue.filter((_, index) => states[index] !== 'absent').map(({ name }) => name);
}

async function verifyKnown(model: CatalogueModel, places: ModelFlags): Promise<Verdict> {
  const { name } = model;
  let faults: readonly FileFault[];
  try {
    faults = await findFaults(model, places.directory);
  } catch (error) {
    if (!(error instanceof RxscribeError)) throw error;
    return { model: name, verdict: 'wrong', detail: error.message };
  }
  if (faults.length === 0) return { model: name, verdict: 'right' };
  const list = faults.map(({ file, fault }) => `${file.name} ${fault}`).join(', ');
  return { model: name, verdict: 'wrong', detail: `${list}. Run: ${pullCommand(name, places)}` };
}

async function verifyDirectory(path: string): Promise<Verdict> {
  const model = resolve(path);
  try {
    const { kind } = await inspectModel(model);
    return { model, verdict: 'unknown', detail: `${kind}; its checksums are not in the catalogue` };
  } catch (error) {
    return { model, verdict: 'wrong', detail: messageOf(error) };
  }
}
