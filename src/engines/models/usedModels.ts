import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { MODEL_ROLES, type ModelRole } from '../../base/models.ts';
import { inspectModel } from './inspectModel.ts';
import type { ModelDirectory } from './modelDirectory.ts';

/** Directories of models by role. */
export type ModelSettings = Readonly<Partial<Record<ModelRole, string>>>;

/** Returns the path of the user's settings of models. */
function userSettingsFile(): string {
  return join(envPaths('rxscribe', { suffix: '' }).config, 'models.json');
}

/**
 * Returns the models that the user chose with `rxscribe model use`, by role, except for some roles.
 *
 * @throws RxscribeError `engine-missing` when one is missing, with the command that fixes it;
 *   InvalidArgumentError when the settings cannot be read
 * @example
 * const engines = await createEngines({ models: await usedModels() });
 */
export async function usedModels(
  settingsFile: string = userSettingsFile(),
  except: readonly string[] = [],
): Promise<Partial<Record<ModelRole, ModelDirectory>>> {
  const settings = await readModelSettings(settingsFile);
  const used: Partial<Record<ModelRole, ModelDirectory>> = {};
  for (const role of MODEL_ROLES) {
    const path = settings[role];
    if (path !== undefined && !except.includes(role)) used[role] = await inspectUsed(role, path);
  }
  return used;
}

async function inspectUsed(role: ModelRole, path: string): Promise<ModelDirectory> {
  try {
    const model = await inspectModel(path);
    if (model.roles.includes(role)) return model;
    throw new RxscribeError('engine-missing', `'${path}' of kind '${model.kind}' cannot serve as ${role}.`);
  } catch (cause) {
    throw new RxscribeError(
      'engine-missing',
      `Cannot use the chosen model: ${reasonOf(cause)}.\nTo reset the choice, run 'rxscribe model use none'.`,
      { cause },
    );
  }
}

/**
 * Reads the settings; empty without a file.
 *
 * @throws InvalidArgumentError when they cannot be read
 */
export async function readModelSettings(settingsFile: string = userSettingsFile()): Promise<ModelSettings> {
  const wrong = (reason: string, cause?: unknown) =>
    new InvalidArgumentError(
      `Cannot read the model settings '${settingsFile}': ${reason}. To reset them, run 'rxscribe model use none'.`,
      { cause },
    );
  let settings: unknown;
  try {
    settings = JSON.parse(await readFile(settingsFile, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw wrong(reasonOf(cause), cause);
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw wrong('they are not an object');
  const read: Partial<Record<ModelRole, string>> = {};
  for (const role of MODEL_ROLES) {
    if (!Object.hasOwn(settings, role)) continue;
    const path: unknown = (settings as Record<string, unknown>)[role];
    if (typeof path !== 'string' || !isAbsolute(path)) throw wrong(`'${role}' is not an absolute path`);
    read[role] = path;
  }
  return read;
}

/** Writes the settings atomically, readable by the user only. */
export async function writeModelSettings(
  settings: ModelSettings,
  settingsFile: string = userSettingsFile(),
): Promise<void> {
  await mkdir(dirname(settingsFile), { recursive: true, mode: 0o700 });
  const draft = `${settingsFile}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, settingsFile);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
