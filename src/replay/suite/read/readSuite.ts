import { stat } from 'node:fs/promises';
import { basename, extname, relative, resolve } from 'node:path';
import { InvalidArgumentError, RxscribeError, unreadable } from '../../../base/errors.ts';
import { fileReason } from '../../../base/text.ts';
import { ruleSetFor, ruleSetNamed } from '../../rules/ruleSets.ts';
import type { Suite, SuiteCase, SuiteFlags } from '../suite.ts';
import { discover, inputKind, referenceBeside, withoutEnding } from './discover.ts';
import { equivalencesOf, readSuiteFile } from './readSuiteFile.ts';
import { suiteCase, suiteOf } from './suiteCase.ts';

const SUITE_ENDINGS = ['.yaml', '.yml', '.json'];

/**
 * Reads a suite file, or makes a suite of recordings and directories with their references beside them.
 *
 * @param paths one `.yaml`, `.yml` or `.json` file, else files and directories
 * @throws InvalidArgumentError, SuiteFileError for invalid settings
 * @throws RxscribeError `unreadable-input` when a file cannot be read, or there is no recording
 * @example
 * const suite = await readSuite(['recordings'], { speed: 'max', thresholds: { wer: { max: 0.3 } } });
 */
export async function readSuite(
  paths: readonly string[],
  flags: SuiteFlags = {},
  options: { readonly signal?: AbortSignal } = {},
): Promise<Suite> {
  if (flags.rules !== undefined) ruleSetNamed(flags.rules);
  if (flags.language !== undefined) ruleSetFor(flags.language);
  const file = paths.find(isSuiteFile);
  if (file === undefined) return suiteOfFiles(paths, flags, options);
  if (paths.length > 1) {
    throw new InvalidArgumentError(
      `Suite file '${file}' cannot be combined with other paths. Give one suite file, or recordings.`,
    );
  }
  if (flags.reference !== undefined) {
    throw new InvalidArgumentError(
      '--reference requires one recording. A suite file names its references itself.',
    );
  }
  return readSuiteFile(file, flags);
}

/** Returns whether a path is that of a suite file, by its extension. */
export function isSuiteFile(path: string): boolean {
  return SUITE_ENDINGS.includes(extname(path).toLowerCase());
}

async function suiteOfFiles(
  paths: readonly string[],
  flags: SuiteFlags,
  options: { readonly signal?: AbortSignal },
): Promise<Suite> {
  const found: Named[] = [];
  for (const path of paths) found.push(...(await inputsAt(path, options)));
  const inputs = [...new Map(found.map(each => [each.input.path, each])).values()];
  if (inputs.length === 0) {
    throw new RxscribeError(
      'unreadable-input',
      `No recording or cassette was found in ${paths.map(path => `'${path}'`).join(', ')}.`,
    );
  }
  if (flags.reference !== undefined && inputs.length > 1) {
    throw new InvalidArgumentError(`--reference requires one recording, not ${inputs.length}.`);
  }
  const hasService = flags.url !== undefined && !flags.isUrlForAudio;
  const cases = named(inputs).map(({ input, name }) => {
    const reference = flags.reference === undefined ? referenceBeside(input.path) : resolve(flags.reference);
    return suiteCase({ name, input, reference }, [], { ...flags, hasService });
  });
  const [path = ''] = paths;
  const equivalences = equivalencesOf(flags.equivalences);
  return suiteOf({ name: basename(resolve(withoutEnding(path))), cases, equivalences }, {}, flags);
}

interface Named {
  readonly input: SuiteCase['input'];
  /** Name relative to the given directory, or the name of the file. */
  readonly name: string;
}

async function inputsAt(path: string, options: { readonly signal?: AbortSignal }): Promise<readonly Named[]> {
  const stats = await stat(path).catch(cause => {
    throw unreadable(`'${path}'`, fileReason(cause), cause);
  });
  const full = resolve(path);
  if (stats.isDirectory()) {
    const inputs = await discover(full, options);
    return inputs.map(input => ({ input, name: relative(full, input.path) }));
  }
  const kind = await inputKind(full);
  if (kind) return [{ input: { kind, path: full }, name: basename(full) }];
  throw unreadable(`'${path}'`, 'it is not a cassette');
}

/** Makes the names unique: without extensions, or else with them, or else the full paths. */
function named(inputs: readonly Named[]): readonly Named[] {
  const candidates = (each: Named) => [withoutEnding(each.name), each.name, each.input.path];
  const counts = new Map<string, number>();
  for (const name of inputs.flatMap(each => [...new Set(candidates(each))])) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return inputs.map(({ input, ...each }) => {
    const unique = candidates({ input, ...each }).find(name => counts.get(name) === 1);
    return { input, name: unique ?? input.path };
  });
}
