import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { RECOGNIZER_ENGINES } from '../recognizers.ts';
import { modelContents } from './modelContents.ts';
import type { ModelDirectory } from './modelDirectory.ts';
import { type ModelRule, sileroRule } from './modelRules.ts';

/** Rules in order of precedence: a voice detector often lies beside a recogniser. */
const RULES: readonly ModelRule[] = [
  ...Object.values(RECOGNIZER_ENGINES).flatMap(({ rules }) => rules),
  sileroRule,
];

const MAX_NAMES_SHOWN = 10;

/**
 * Identifies the model in a directory by its file names and, where these are ambiguous, by the metadata of
 * its ONNX files. Weights are not read.
 *
 * @throws RxscribeError `engine-missing` when the directory is missing, empty or holds no known model
 * @example
 * const { kind, files } = await inspectModel('models/sherpa-onnx-streaming-zipformer-en-20M-2023-02-17')
 */
export async function inspectModel(directory: string): Promise<ModelDirectory> {
  const path = resolve(directory);
  const names = await listModelFiles(path).catch(cause => {
    throw new RxscribeError(
      'engine-missing',
      `Cannot read the model directory '${path}': ${reasonOf(cause)}. See 'rxscribe model list'.`,
      { cause },
    );
  });
  if (names.length === 0)
    throw new RxscribeError(
      'engine-missing',
      `Model directory '${path}' has no files. See 'rxscribe model list'.`,
    );
  const contents = modelContents(path, names);
  for (const rule of RULES) {
    const model = await rule.match(contents);
    if (!model) continue;
    const files = Object.entries(model.files).filter(([, name]) => name !== undefined);
    return {
      path,
      kind: model.kind,
      roles: model.roles,
      files: Object.fromEntries(files.map(([what, name]) => [what, contents.path(name!)])),
    };
  }
  throw new RxscribeError('engine-missing', unknownText(path, names));
}

function unknownText(path: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES_SHOWN).join(', ');
  const more = names.length > MAX_NAMES_SHOWN ? ` and ${names.length - MAX_NAMES_SHOWN} more` : '';
  const wanted = RULES.map(rule => `\n  ${rule.wanted}`).join('');
  return `Cannot identify the model '${path}': it contains ${shown}${more}. The supported models have one of:${wanted}`;
}

/** Limit of file names, more than any model has. */
const MAX_NAMES = 2000;

/**
 * Returns the sorted names of the files in a directory and its direct subdirectories, such as
 * `onnx/model.onnx`.
 *
 * Links to files count as files, as in Hugging Face's cache; links to directories are not followed.
 *
 * @throws errors of the file system
 */
async function listModelFiles(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  const below: string[] = [];
  for await (const entry of await opendir(directory)) {
    if (names.length + below.length >= MAX_NAMES) break;
    if (entry.isDirectory()) below.push(entry.name);
    else if (await isFile(directory, entry)) names.push(entry.name);
  }
  for (const folder of below) {
    for await (const entry of await opendir(join(directory, folder))) {
      if (names.length >= MAX_NAMES) break;
      if (await isFile(join(directory, folder), entry)) names.push(`${folder}/${entry.name}`);
    }
  }
  return names.sort();
}

async function isFile(directory: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(join(directory, entry.name)).then(
    target => target.isFile(),
    () => false,
  );
}
