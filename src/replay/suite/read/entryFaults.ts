import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../../../base/errors.ts';
import { serviceAddress } from '../../../client/serviceAccess.ts';
import { formatStreamQuery } from '../../../protocol/streamQuery.ts';
import { fromWire } from '../../../protocol/wireNames.ts';
import { checkFaults, type FaultSchedule, FaultScheduleSchema } from '../../play/faults/faultSchedule.ts';
import { ruleSetFor, ruleSetNamed } from '../../rules/ruleSets.ts';
import type { SuiteQuery } from '../suite.ts';
import type { Fault, Path } from './schemaFaults.ts';
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
    ...urlFaults(file.url),
    ...settingFaults(file.defaults ?? {}, ['defaults']),
    ...(await Promise.all(ofCases)).flat(),
    ...sameNames(file.cases),
  ];
}

/** Checks that an address has no token, because suite files are shared. */
function urlFaults(url: string | undefined): readonly Fault[] {
  const faults: Fault[] = [];
  if (url === undefined) return faults;
  const refused = (message: string) => faults.push({ path: ['url'], message });
  attempt(() => {
    const { username, password, search } = serviceAddress(url, 'ws');
    if (username || password || search) refused('expected an address without a token or a query, found one');
  }, refused);
  return faults;
}

function inputFaults({ audio, cassette, faults, service }: CaseEntry, path: Path): readonly Fault[] {
  if ((audio === undefined) === (cassette === undefined)) {
    const found = audio === undefined ? 'neither' : 'both';
    return [{ path, message: `expected either audio or cassette, found ${found}` }];
  }
  if (cassette === undefined) {
    if (faults)
      return [{ path: [...path, 'faults'], message: 'expected a cassette for faults, found audio' }];
    if (service === 'cassette') {
      return [{ path: [...path, 'service'], message: 'expected a cassette that answers, found audio' }];
    }
  }
  if (faults?.length && service === 'service') {
    return [
      { path: [...path, 'faults'], message: 'expected a cassette that answers itself, found a service' },
    ];
  }
  return [];
}

function settingFaults(settings: CaseSettings, path: Path): readonly Fault[] {
  const { language, rules, query, faults: planned } = settings;
  const faults: Fault[] = [];
  if (planned !== undefined) {
    const schedule = fromWire(FaultScheduleSchema, planned) as FaultSchedule;
    attempt(
      () => checkFaults(schedule),
      message => faults.push({ path: [...path, 'faults'], message }),
    );
  }
  if (language !== undefined) {
    attempt(
      () => ruleSetFor(language),
      message => faults.push({ path: [...path, 'language'], message }),
    );
  }
  if (rules !== undefined) {
    attempt(
      () => ruleSetNamed(rules),
      message => faults.push({ path: [...path, 'rules'], message }),
    );
  }
  if (query !== undefined) {
    const options = fromWire(QuerySchema, query) as SuiteQuery;
    attempt(
      () => formatStreamQuery({ ...options, contentType: { kind: 'any' } }),
      message => faults.push({ path: [...path, 'query'], message }),
    );
  }
  return faults;
}

function attempt(action: () => unknown, refused: (message: string) => void): void {
  try {
    action();
  } catch (error) {
    refused(reasonOf(error));
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
