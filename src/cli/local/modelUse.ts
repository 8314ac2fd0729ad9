import { MODEL_ROLES, type ModelRole } from '../../base/models.ts';
import {
  type ModelSettings,
  readModelSettings,
  writeModelSettings,
} from '../../engines/models/usedModels.ts';
import type { Context } from '../context.ts';
import { type ModelFlags, roleName, roleOf } from '../flags/modelOptions.ts';
import { printRecords } from '../print/table.ts';
import { wrongRole } from './engines.ts';
import { findModel } from './findModel.ts';

const NONE = 'none';

/** Changes the user's settings, and prints all of them. */
export async function runModelUse(
  { stdout }: Context,
  chosen: string,
  flags: ModelFlags & { readonly for?: string },
): Promise<void> {
  const only = flags.for === undefined ? undefined : roleOf(flags.for);
  const settings = chosen === NONE ? await withoutModel(only) : await withModel(chosen, only, flags);
  await writeModelSettings(settings);
  const uses = MODEL_ROLES.flatMap(role => {
    const directory = settings[role];
    return directory === undefined ? [] : [{ for: roleName(role), directory }];
  });
  printRecords(
    stdout,
    uses,
    [
      ['for', use => use.for],
      ['model', use => use.directory],
    ],
    { json: flags.json },
  );
}

async function withoutModel(only: ModelRole | undefined): Promise<ModelSettings> {
  // This also repairs settings that cannot be read.
  if (!only) return {};
  return { ...(await readModelSettings()), [only]: undefined };
}

async function withModel(
  chosen: string,
  only: ModelRole | undefined,
  flags: ModelFlags,
): Promise<ModelSettings> {
  const model = await findModel(chosen, flags);
  const { path, roles } = model;
  if (only && !roles.includes(only)) throw wrongRole(model, only);
  const chosenRoles = only ? [only] : roles;
  return { ...(await readModelSettings()), ...Object.fromEntries(chosenRoles.map(role => [role, path])) };
}
