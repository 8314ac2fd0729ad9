import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../../../base/errors.ts';
import { serviceAddress } from '../../../client/serviceAccess.ts';
import { formatStreamQuery } from '../../../protocol/streamQuery.ts';
import { fromWire } from '../../../protocol/wireNames.ts';
import type { Fault, Path } from '../../../settings/schemaFaults.ts';
import { checkFaults, FaultScheduleSchema } from '../../play/faults/faultSchedule.ts';
import { ruleSetFor, ruleSetNamed } from '../../rules/ruleSets.ts';
import type { SuiteQuery } from '../suite.ts';
import { inputKind } from './discover.ts';
import { entryName } from './suiteCase.ts';
import { type CaseEntry, type CaseSettings, QuerySchema, type SuiteFile } from './suiteSchema.ts';

/**
 * Returns the faults of a suite file that its schema does not cover, such as missing files and options that contradict
 * each other.
 */
export async function entryFaults(file: SuiteFile, base: string): Promise<readonly Fault[]> {
  const ofCases = file.cases.map(async (entry, index) => {
    const path = ['cases', index];
    return [
      ...inputFaults(entry, path),
      ...settingFaults(entry, path),
      ...(await fileFaults(entry, base, path)),
    ];
  });
  return [
    ...refused(['url'], file.url, checkUrl),
    ...settingFaults(file.defaults ?? {}, ['defaults']),
    ...(await Promise.all(ofCases)).flat(),
    ...sameNames(file.cases),
  ];
}

/** Checks that an address has no token, because suite files are shared. @throws Error */
function checkUrl(url: string): void {
  const { username, password, search } = serviceAddress(url, 'ws');
  if (username || password || search) {
    throw new Error('expected an address without a token or a query, found one');
  }
}

function inputFaults({ audio, cassette, service }: CaseEntry, path: Path): readonly Fault[] {
  const fault = (message: string, ...names: readonly string[]) => [{ path: [...path, ...names], message }];
  if (audio === undefined && cassette === undefined) {
    return fault('expected either audio or cassette, found neither');
  }
  if (audio !== undefined && cassette !== undefined) {
    return fault('expected either audio or cassette, found both');
  }
  if (cassette === undefined && service === 'cassette') {
    return fault('expected a cassette that answers, found audio', 'service');
  }
  return [];
}

function settingFaults({ language, rules, query, faults }: CaseSettings, path: Path): readonly Fault[] {
  return [
    ...refused([...path, 'faults'], faults, planned => checkFaults(fromWire(FaultScheduleSchema, planned))),
    ...refused([...path, 'language'], language, ruleSetFor),
    ...refused([...path, 'rules'], rules, ruleSetNamed),
    ...refused([...path, 'query'], query, asked =>
      formatStreamQuery({ ...(fromWire(QuerySchema, asked) as SuiteQuery), contentType: { kind: 'any' } }),
    ),
  ];
}

/** Returns the fault of a value for which a check throws; none for an absent value. */
function refused<Value>(
  path: Path,
  value: Value | undefined,
  check: (value: Value) => unknown,
): readonly Fault[] {
  if (value === undefined) return [];
  try {
    check(value);
    return [];
  } catch (error) {
    return [{ path, message: reasonOf(error) }];
  }
}

async function fileFaults(entry: CaseEntry, base: string, path: Path): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const name of ['audio', 'cassette', 'reference'] as const) {
    const file = entry[name];
    if (file === undefined) continue;
    const found = await stat(resolve(base, file)).then(
      stats => (stats.isDirectory() ? 'a directory' : undefined),
      () => 'none',
    );
    if (found) faults.push({ path: [...path, name], message: `expected a file, found ${found}: ${file}` });
    else if (name === 'audio' && (await inputKind(resolve(base, file))) === 'cassette')
      faults.push({
        path: [...path, name],
        message: `expected audio, found a cassette: ${file}; set cassette instead`,
      });
  }
  return faults;
}

function sameNames(cases: readonly CaseEntry[]): readonly Fault[] {
  const first = new Map<string, number>();
  return cases.flatMap((entry, index) => {
    if (entry.audio === undefined && entry.cassette === undefined) return [];
    const name = entryName(entry);
    const before = first.get(name);
    first.set(name, before ?? index);
    if (before === undefined) return [];
    const message = `expected a unique name, found that of cases[${before}]: ${name}; set name`;
    return [{ path: ['cases', index, ...(entry.name === undefined ? [] : ['name'])], message }];
  });
}
