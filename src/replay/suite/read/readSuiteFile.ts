import { basename, dirname, extname, resolve } from 'node:path';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { counted } from '../../../base/text.ts';
import { type Fault, schemaFaults } from '../../../settings/schemaFaults.ts';
import { readSettings, type SettingsText, settingsText } from '../../../settings/settingsText.ts';
import { parseEquivalences } from '../../rules/equivalences.ts';
import type { Suite, SuiteFlags } from '../suite.ts';
import { referenceBeside } from './discover.ts';
import { entryFaults } from './entryFaults.ts';
import { entryName, suiteCase, suiteOf } from './suiteCase.ts';
import { type SuiteFile, SuiteFileSchema } from './suiteSchema.ts';

/**
 * Reads a suite file, YAML or JSON, by {@link SuiteFileSchema}.
 *
 * @throws RxscribeError `unreadable-input` when it cannot be read
 * @throws SuiteFileError with all faults and their places
 */
export async function readSuiteFile(path: string, flags: SuiteFlags): Promise<Suite> {
  const text = readSettings(settingsText('suite', path));
  const refuse = (faults: readonly Fault[]): never => {
    throw new SuiteFileError(path, [
      ...ownFaults(path, text),
      ...faults.map(fault => faultText(path, text, fault)),
    ]);
  };
  if (text.faults.length > 0) refuse([]);
  const faults = schemaFaults(SuiteFileSchema, text.value);
  if (faults.length > 0) refuse(faults);
  const file = text.value as SuiteFile;
  const base = dirname(resolve(path));
  const wrong = await entryFaults(file, base);
  if (wrong.length > 0) refuse(wrong);
  const hasService = file.url !== undefined || (flags.url !== undefined && !flags.isUrlForAudio);
  const cases = file.cases.map(entry => {
    const { audio, cassette, reference, ...settings } = entry;
    const input = resolve(base, cassette ?? audio ?? '');
    return suiteCase(
      {
        name: entryName(entry),
        input: { kind: cassette === undefined ? 'audio' : 'cassette', path: input },
        reference: reference === undefined ? referenceBeside(input) : resolve(base, reference),
      },
      [file.defaults ?? {}, settings],
      { ...flags, hasService },
    );
  });
  const { name = basename(path, extname(path)) } = file;
  const own = file.equivalences && resolve(base, file.equivalences);
  return suiteOf({ name, cases, equivalences: equivalencesOf(flags.equivalences ?? own) }, file, flags);
}

/** @throws RxscribeError `unreadable-input`; InvalidArgumentError for a line that is none */
export function equivalencesOf(path: string | undefined): Suite['equivalences'] {
  return path ? parseEquivalences(settingsText('file of equivalences', path), path) : undefined;
}

function ownFaults(path: string, { faults }: SettingsText): readonly string[] {
  return faults.map(({ line, column, message }) => `${path}:${line}:${column} ${message}`);
}

function faultText(path: string, text: SettingsText, { path: place, message, ofKey }: Fault): string {
  const { line, column } = text.placeOf(place, ofKey);
  const name = place.map(part => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return `${path}:${line}:${column} ${name ? `${name.replace(/^\./, '')}: ` : ''}${message}`;
}

/** Maximum number of listed faults: a file of another kind has arbitrarily many. */
const MAX_LISTED = 100;

/** Thrown for a suite that cannot be run, with all faults: `FILE:LINE:COLUMN name: expected …, found …`. */
export class SuiteFileError extends InvalidArgumentError {
  override name = 'SuiteFileError';
  readonly faults: readonly string[];

  constructor(path: string, faults: readonly string[]) {
    const left = faults.length - MAX_LISTED;
    const listed = [...faults.slice(0, MAX_LISTED), ...(left > 0 ? [`and ${left} more`] : [])];
    const lines = listed.map(fault => `\n  ${fault}`).join('');
    super(`Cannot read the suite '${path}': it has ${counted(faults.length, 'fault')}.${lines}`);
    this.faults = faults;
  }
}
