import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../../base/errors.ts';
import { serviceAddress } from '../../../client/serviceAccess.ts';
import { formatStreamQuery } from '../../../protocol/streamQuery.ts';
import { fromWire } from '../../../protocol/wireNames.ts';
import { checkFaults, type FaultSchedule, FaultScheduleSchema } from '../../play/faults/faultSchedule.ts';
import { ruleSetFor, ruleSetNamed } from '../../rules/ruleSets.ts';
import type { SuiteQuery } from '../suite.ts';
import type { Fault, Path } from './schemaFaults.ts';
import { entryName } from './suiteCase.ts';
import { type CaseEntry, type CaseSettings, QuerySchema, type SuiteFile } from './suiteSchema.ts';

/** What is wrong with a suite file beyond its form: files that are not there, options that do not go together. */
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

/** Files are shared: a token has no place in them. */
function urlFaults(url: string | undefined): readonly Fault[] {
  const faults: Fault[] = [];
  if (url === undefined) return faults;
  const refused = (message: string) => faults.push({ path: ['url'], message });
  attempt(() => {
    const { username, password, search } = serviceAddress(url, 'ws');
    if (username || password || search) refused('wanted an address without a token or a query');
  }, refused);
  return faults;
}

function inputFaults({ audio, cassette, faults, service }: CaseEntry, path: Path): readonly Fault[] {
  if ((audio === undefined) === (cassette === undefined)) {
    const found = audio === undefined ? 'neither' : 'both';
    return [{ path, message: `wanted either audio or cassette, found ${found}` }];
  }
  if (cassette === undefined) {
    if (faults) return [{ path: [...path, 'faults'], message: 'wanted a cassette for faults, found audio' }];
    if (service === 'cassette') {
      return [{ path: [...path, 'service'], message: 'wanted a cassette that answers, found audio' }];
    }
  }
  if (faults?.length && service === 'service') {
    return [{ path: [...path, 'faults'], message: 'wanted a cassette that answers itself, found a service' }];
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
      message => faults.push({ path: [...path, 'faults'], message: message.replace(/^faults: /, '') }),
    );
  }
  if (language !== undefined) {
    attempt(
      () => ruleSetFor(language),
      message => faults.push({ path: [...path, 'language'], message: message.replace(/^rules: /, '') }),
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
    refused(messageOf(error));
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
    if (found) faults.push({ path: [...path, name], message: `wanted a file, found ${found}: ${file}` });
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
    const message = `wanted a name of its own, found that of cases[${before}]: ${name}; say name`;
    return [{ path: ['cases', index, ...(entry.name === undefined ? [] : ['name'])], message }];
  });
}
