import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { MODEL_ROLES, type ModelRole } from '../../base/models.ts';
import { inspectModel } from './inspectModel.ts';
import type { ModelDirectory } from './modelDirectory.ts';

/** Directories of models by role. */
export type ModelSettings = Readonly<Partial<Record<ModelRole, string>>>;

/** The user's settings file of models. */
export const MODEL_SETTINGS_FILE = join(envPaths('rxscribe', { suffix: '' }).config, 'models.json');

/**
 * Returns the models that the user chose with `rxscribe model use`, by role, except for some roles.
 *
 * @throws RxscribeError `engine-missing` when one is missing, with the command that fixes it;
 *   InvalidArgumentError when the settings cannot be read
 * @example
 * const engines = await createEngines({ models: await usedModels() });
 */
export async function usedModels(
  settingsFile: string = MODEL_SETTINGS_FILE,
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
    throw new RxscribeError('engine-missing', `wanted a ${role}, found ${model.kind} in ${path}`);
  } catch (cause) {
    throw new RxscribeError(
      'engine-missing',
      `use model: ${messageOf(cause)}\nTo do without it: rxscribe model use none`,
      { cause },
    );
  }
}

/**
 * Reads the settings; empty without a file.
 *
 * @throws InvalidArgumentError when they cannot be read
 */
export async function readModelSettings(settingsFile: string = MODEL_SETTINGS_FILE): Promise<ModelSettings> {
  const wrong = (found: string, cause?: unknown) =>
    new InvalidArgumentError(
      `read ${settingsFile}: wanted a directory for each use of a model, found ${found}. To write it anew: rxscribe model use none`,
      { cause },
    );
  let settings: unknown;
  try {
    settings = JSON.parse(await readFile(settingsFile, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw wrong(messageOf(cause), cause);
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw wrong('something else');
  const read: Partial<Record<ModelRole, string>> = {};
  for (const role of MODEL_ROLES) {
    if (!Object.hasOwn(settings, role)) continue;
    const path: unknown = (settings as Record<string, unknown>)[role];
    if (typeof path !== 'string' || !isAbsolute(path)) throw wrong(`no absolute path for ${role}`);
    read[role] = path;
  }
  return read;
}

/** Writes the settings atomically, readable by the user only. */
export async function writeModelSettings(
  settings: ModelSettings,
  settingsFile: string = MODEL_SETTINGS_FILE,
): Promise<void> {
  await mkdir(dirname(settingsFile), { recursive: true, mode: 0o700 });
  const draft = `${settingsFile}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, settingsFile);
}
