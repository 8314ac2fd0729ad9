import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { isImportBegun } from '../../../src/service/store/importMark.ts';
import { type OpenStore, openStore, type Store } from '../../../src/service/store/store.ts';
import { exportStore } from '../../../src/service/transfer/exportStore.ts';
import { importParts } from '../../../src/service/transfer/importStore.ts';
import type { Part } from '../../../src/service/transfer/parts.ts';
import { collect } from '../../helpers/collect.ts';
import { copiedDatabase } from '../../helpers/dataDirectory.ts';
import { contentsOf, fillStore, type StoreContents } from '../../helpers/storeContents.ts';
import { unexpected } from '../../helpers/unexpected.ts';

interface File {
  readonly path: string;
  readonly bytes: Buffer;
}

let files: readonly File[];
let contents: StoreContents;
let target: { readonly dataDirectory: string };
let store: Store;
let open: OpenStore;

const idle = { clock: systemClock, signal: new AbortController().signal, onProgress() {} };

beforeAll(async () => {
  const place = { dataDirectory: await copiedDatabase() };
  await fillStore(place);
  contents = await contentsOf(place);
  files = await exported(place);
  target = { dataDirectory: await copiedDatabase() };
  store = openStore({ ...target, forImport: true, clock: systemClock, onError: unexpected });
  open = await store.opened;
}, 600_000);
afterAll(() => store.close());

async function exported(place: { readonly dataDirectory: string }): Promise<readonly File[]> {
  const source = openStore({ ...place, clock: systemClock, onError: unexpected });
  const found: File[] = [];
  for await (const { path, contents } of exportStore(await source.opened, { release: '1.2.3', ...idle })
    .parts) {
    found.push({ path, bytes: Buffer.concat(await collect(contents)) });
  }
  await source.close();
  return found;
}

async function* partsOf(list: readonly File[]): AsyncGenerator<Part> {
  for (const { path, bytes } of list) yield { path, bytes: bytes.length, contents: piecesOf(bytes) };
}

/** Yields bytes in pieces, whose ends are anywhere in a line. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
}

const imports = (list: readonly File[]) => importParts(open, partsOf(list), { ...idle, onError: unexpected });

type Change = (bytes: Buffer) => string | Buffer;

/** Returns the files with the contents of one changed. */
function changed(path: string, change: Change, list = files): readonly File[] {
  return list.map(file => (file.path === path ? { path, bytes: Buffer.from(change(file.bytes)) } : file));
}

/** Returns the files with one row changed, as its text. */
function withRow(path: string, change: (row: string) => string | Buffer): readonly File[] {
  return changed(path, bytes => {
    const [first, ...others] = String(bytes).split('\n');
    return Buffer.concat([Buffer.from(change(first!)), Buffer.from(`\n${others.join('\n')}`)]);
  });
}

/** Returns the files with one value of a row changed. */
const withValue = (path: string, name: string, value: unknown) =>
  withRow(path, row => JSON.stringify({ ...JSON.parse(row), [name]: value }));

const withManifest = (changes: Record<string, unknown>) =>
  changed('manifest.json', bytes => JSON.stringify({ ...JSON.parse(String(bytes)), ...changes }));

const without = (path: string) => files.filter(file => file.path !== path);
const renamed = (path: string, name: string) =>
  files.map(file => (file.path === path ? { ...file, path: name } : file));
const migrations = () => JSON.parse(String(files[0]!.bytes)).migrations as readonly string[];
const objectPaths = () => files.map(({ path }) => path).filter(path => path.startsWith('objects/'));

/** Exports that an import refuses, with the message. */
type Cases = Readonly<Record<string, readonly [() => readonly File[], RegExp]>>;

const REFUSED_AT_ONCE: Cases = {
  'that begins with something else': [() => files.slice(1), /does not begin with 'manifest.json'/],
  'with a manifest that is no JSON': [
    () => changed('manifest.json', () => '{'),
    /'manifest.json' is not that/,
  ],
  'with a manifest of another program': [() => withManifest({ format: 'x' }), /'manifest.json' is not that/],
  'of a newer format': [
    () => withManifest({ version: 2, release: '9.0.0' }),
    /has the format 2 of release 9\.0\.0.+Use a later release/,
  ],
  'of a later release': [
    () => withManifest({ release: '9.0.0', migrations: [...migrations(), '9999_expand_x'] }),
    /of release 9\.0\.0, whose data this release does not know/,
  ],
  'with gaps in its migrations': [
    () => withManifest({ migrations: migrations().slice(1) }),
    /the list of its migrations has gaps/,
  ],
};

/** Returns a value within as many lists. */
const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** Returns cases of values that do not fit, by what the value is: its table, its column and the value. */
const wrongValues = (values: Readonly<Record<string, readonly [string, string, unknown]>>): Cases =>
  Object.fromEntries(
    Object.entries(values).map(([what, [table, column, value]]) => {
      const message = RegExp(
        `'${table}.jsonl', line 1, has a value in the column '${column}' that does not fit`,
      );
      return [`with ${what}`, [() => withValue(`${table}.jsonl`, column, value), message]];
    }),
  );

/** Rows that an import refuses before it changes anything, where it can read them before. */
const REFUSED_ROWS: Cases = {
  'with options of any depth': [
    () => withRow('jobs.jsonl', row => withOptions(row, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)),
    /line 1, has a value in the column 'options' that does not fit/,
  ],
  ...wrongValues({
    'options that are a list': ['jobs', 'options', []],
    'deep findings': ['jobs', 'findings', { a: nested(100) }],
    'a limit below zero': ['accounts', 'max_streams', -1],
    'a rate of zero': ['accounts', 'requests_per_second', 0],
    'a retention below zero': ['jobs', 'retention_seconds', -1],
    'credit held below zero': ['accounts', 'reserved_seconds', -1],
    'an unknown type of job': ['jobs', 'type', 'x'],
    'a removed job of an unknown type': ['removed_jobs', 'type', 'x'],
  }),
  'with a name that no index takes': [
    () => withValue('desk_users.jsonl', 'name', randomBytes(50_000).toString('hex')),
    /'desk_users.jsonl', lines 1 to \d+: index row/,
  ],
};

/** Returns a row with options as a text, which is too deep to be written as JSON. */
const withOptions = (row: string, options: string) => {
  const [before, after] = JSON.stringify({ ...JSON.parse(row), options: 'here' }).split('"here"');
  return before! + options + after!;
};

const REFUSED: Cases = {
  'with a path out of its directory': [
    () => renamed(objectPaths()[0]!, 'objects/jobs/a/results/../../../../x'),
    /has an unknown file 'objects\/jobs\/a\/results\/\.\./,
  ],
  'with a hidden object': [
    () => renamed(objectPaths()[0]!, 'objects/jobs/a/results/.x'),
    /has an unknown file/,
  ],
  'with an unknown table': [() => renamed('tokens.jsonl', 'members.jsonl'), /unknown file 'members.jsonl'/],
  'without a table': [() => without('removed_jobs.jsonl'), /comes instead of 'removed_jobs.jsonl'/],
  'without its end': [() => files.slice(0, -1), /is incomplete, as 'SHA256SUMS' is missing/],
  'that goes on after its end': [
    () => [...files, { ...files[1]!, path: 'objects/jobs/a/results/x' }],
    /comes after 'SHA256SUMS'/,
  ],
  'with an object twice': [
    () => [files[0]!, files[1]!, ...files.slice(1)],
    /^The export cannot be used: it has 'objects\/[^']+' twice\.$/,
  ],
  'with the end twice': [() => [...files, files.at(-1)!], /comes after 'SHA256SUMS'/],
  'with a damaged object': [
    () => changed(objectPaths()[1]!, bytes => Buffer.concat([bytes.subarray(1), Buffer.from('x')])),
    /^The export cannot be used: 'objects\/[^']+' is damaged\.$/,
  ],
  'without an object': [() => without(objectPaths()[1]!), /'objects\/[^']+' is missing, or not in its place/],
  'with an object that its checksums lack': [
    () => changed('SHA256SUMS', bytes => String(bytes).replace(/.+learned_phrases.jsonl\n$/, '')),
    /'SHA256SUMS' lacks 'learned_phrases.jsonl'/,
  ],
  'with rows of another moment': [
    () => changed('removed_jobs.jsonl', () => ''),
    /'removed_jobs.jsonl' is damaged/,
  ],
  'with a row that is no JSON': [
    () => withRow('jobs.jsonl', row => row.slice(1)),
    /'jobs.jsonl', line 1, is no/,
  ],
  'with a row that is a list': [
    () => withRow('jobs.jsonl', () => '[1]'),
    /'jobs.jsonl', line 1, is no JSON object/,
  ],
  'with an unknown column': [() => withValue('jobs.jsonl', 'x', 1), /line 1, has an unknown column 'x'/],
  'without a column': [() => withValue('jobs.jsonl', 'turn', undefined), /line 1, lacks the column 'turn'/],
  ...wrongValues({
    'a text for a number': ['accounts', 'balance_seconds', '1'],
    'null for a number': ['accounts', 'balance_seconds', null],
    'a number that is too large': ['jobs', 'turn', 2 ** 31],
    'a fraction for an integer': ['jobs', 'attempts', 0.5],
    'a time that is none': ['jobs', 'created_on', 'infinity'],
    'an id that is a path': ['jobs', 'id', '../x'],
    'an unknown status': ['jobs', 'status', 'x'],
    'a token for its hash': ['tokens', 'hash', 'secret'],
    'a receiver elsewhere': ['deliveries', 'url', 'file:///x'],
    'a notification to nowhere': ['jobs', 'notification', { url: 'x' }],
  }),
  'with a job of an unknown account': [
    () => withValue('jobs.jsonl', 'account_id', 'nobody'),
    /'jobs.jsonl', lines 1 to 8: insert or update on table "jobs" violates foreign key/,
  ],
  'with a job twice': [
    () => withRow('jobs.jsonl', row => `${row}\n${row}`),
    /'jobs.jsonl', lines 1 to 9: duplicate key value violates unique constraint "jobs_pkey"/,
  ],
  'with a character that no text has': [
    () => withValue('jobs.jsonl', 'metadata', 'a\u0000b'),
    /'jobs.jsonl', lines 1 to 8: a value does not fit/,
  ],
  'with a row that is too long': [
    () => withValue('jobs.jsonl', 'metadata', 'x'.repeat(17 * 2 ** 20)),
    /'jobs.jsonl', line 1, has more than 16777216 bytes/,
  ],
  'with bytes that are not UTF-8': [
    () => withRow('jobs.jsonl', () => Buffer.of(0xff)),
    /line 1, is not UTF-8/,
  ],
  'with a row that has no end': [
    () => changed('jobs.jsonl', bytes => bytes.subarray(0, -1)),
    /'jobs.jsonl', line 8, has no end/,
  ],
};

describe('an import', () => {
  test.for(Object.entries(REFUSED_AT_ONCE))(
    'changes nothing for an export %s',
    async ([, [list, message]]) => {
      const refused = imports(list());
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.toMatchObject({ code: 'unreadable-input' });
      expect(await isImportBegun(open.db, open.objects)).toBe(false);
    },
  );

  test.for(Object.entries(REFUSED_ROWS))(
    'changes nothing for an export that can be read again %s',
    async ([, [list, message]]) => {
      const again = () => partsOf(list());
      const refused = importParts(open, again(), { ...idle, onError: unexpected, again });
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.toMatchObject({ code: 'unreadable-input' });
      expect(await isImportBegun(open.db, open.objects)).toBe(false);
    },
  );

  test.for(Object.entries({ ...REFUSED_ROWS, ...REFUSED }))(
    'stores no row of an export %s',
    async ([, [list, message]]) => {
      const refused = imports(list());
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.toMatchObject({ code: 'unreadable-input' });
      expect(await open.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
      expect(await isImportBegun(open.db, open.objects)).toBe(true);
    },
  );

  test('checks a length that the archive gives', async () => {
    const [manifest, { path, bytes }] = files as readonly [File, File];
    const parts = async function* (): AsyncGenerator<Part> {
      yield* partsOf([manifest]);
      yield { path, bytes: bytes.length + 1, contents: piecesOf(bytes) };
    };
    await expect(importParts(open, parts(), { ...idle, onError: unexpected })).rejects.toThrow(
      `'${path}' has ${bytes.length} bytes instead of ${bytes.length + 1}`,
    );
  });

  test('can be repeated after all of these, and then only', async () => {
    expect(await imports(files)).toEqual({ accounts: 2, jobs: 8, objects: 8 });
    await expect(imports(files)).rejects.toThrow('Cannot import: the store has accounts or jobs already.');
    await store.close();
    expect(await contentsOf(target)).toEqual(contents);
    expect(createHash('sha256').update(files.at(-2)!.bytes).digest('hex')).toBe(
      String(files.at(-1)!.bytes).split('\n').at(-2)!.split('  ')[0],
    );
  });
});
