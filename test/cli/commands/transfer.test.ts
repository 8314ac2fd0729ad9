import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { beforeAll, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import type { Delivery } from '../../../src/service/jobs/deliveries.ts';
import {
  cleanEnvironment,
  cli,
  idleContext,
  runCommand,
  startCommand,
  startProcess,
} from '../../helpers/commandLine.ts';
import { copiedDatabase, dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { bucketBackend } from '../../helpers/storeBackends.ts';
import { contentsOf, FILLED_JOBS, type Filled, fillStore } from '../../helpers/storeContents.ts';

const servers = bucketBackend();
/** Milliseconds of a test that starts two servers and opens eight stores, on a machine that is busy. */
const TIMEOUT_MS = 600_000;

/** Returns the options of a command for a store. */
function flagsOf({ dataDirectory, databaseUrl, objects }: StorePlace): readonly string[] {
  return [
    ...['--data', dataDirectory!],
    ...(databaseUrl ? ['--database', databaseUrl] : []),
    ...(objects ? ['--objects', objects.url, '--s3-endpoint', objects.endpoint!] : []),
  ];
}

/** Runs a command in this process, with bytes as its output. */
async function runBytes(args: readonly string[]): Promise<Buffer> {
  const stdout = new PassThrough();
  const bytes = buffer(stdout);
  const code = await main(args, { ...idleContext(), env: cleanEnvironment(), stdout });
  stdout.end();
  expect(code).toBe(0);
  return bytes;
}

/** Checks that the pending work of a filled store is done after its import. */
async function expectWork(place: StorePlace, { token, deliveryId, media }: Filled): Promise<void> {
  const delivered: Delivery[] = [];
  const ran: (readonly [string, string | undefined, unknown])[] = [];
  await using service = openJobStore(place, {
    ...FILLED_JOBS,
    tasks: {
      alignment: async ({ id }, { media, input }) => {
        ran.push([id, media && (await import('node:fs')).readFileSync(media, 'hex'), input]);
        return { results: { transcript: `of ${id}` } };
      },
    },
    deliver: async delivery => {
      delivered.push(delivery);
      return { outcome: 'delivered' };
    },
  });
  const { accounts, jobs } = service;
  await accounts.prepared;
  const caller = await accounts.authenticate(token);
  expect(caller?.limits).toEqual({ streams: 3, requestsPerSecond: 0.5 });
  expect(await accounts.authenticate('token of the owner')).toMatchObject({ accountId: 'owner' });
  await eventually(async () => {
    expect(await jobs.countInProgress(caller!.accountId, 10)).toBe(1);
    expect(delivered).toHaveLength(1);
  });
  expect(ran.map(([id]) => id)).toEqual(expect.arrayContaining(['held', 'queued', 'queued2']));
  expect(ran.find(([id]) => id === 'held')).toEqual(['held', media.toString('hex'), { text: 'é' }]);
  expect(delivered[0]).toMatchObject({
    deliveryId,
    requestId: 'request-1',
    authorization: 'Basic x',
    secret: 'né "secret"',
  });
  expect(await jobs.result('done', 'transcript')).toBe('grüße\u2028 "1"');
  expect(await jobs.result('queued', 'transcript')).toBe('of queued');
  expect(await jobs.human.find('human')).toMatchObject({
    record: { claimedBy: 'Ann' },
    input: { verbatim: true },
  });
  expect(await jobs.human.finish('human', { status: 'done' }, { transcript: 'by Ann' })).toBe(true);
  expect(await accounts.find(caller!.accountId)).toMatchObject({ email: 'ada@example.org' });
}

test('an embedded store moves to servers and back, with all its data and its pending work', {
  tags: 'tools',
  timeout: TIMEOUT_MS,
}, async context => {
  const target = await servers.locate(context);
  const source = { dataDirectory: await dataDirectory() };
  const filled = await fillStore(source);
  const contents = await contentsOf(source);
  expect(Object.values(contents.rows).map(rows => rows.length)).toEqual([2, 2, 8, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect(Object.keys(contents.objects)).toHaveLength(8);

  const directory = join(await temporaryDirectory(), 'new', 'export');
  expect(await runCommand(['export', directory, ...flagsOf(source)])).toEqual({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringContaining('Exported 2 accounts and 8 jobs with 8 objects.\n'),
  });
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect(mode & 0o777).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
  expect(await runCommand(['import', directory, ...flagsOf(target)])).toMatchObject({ code: 0, stdout: '' });
  expect(await contentsOf(target)).toEqual(contents);

  const archive = await runBytes(['export', '-', ...flagsOf(target)]);
  const back = { dataDirectory: await temporaryDirectory() };
  expect(await runCommand(['import', '-', ...flagsOf(back)], { stdin: archive })).toEqual({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringContaining('Imported 2 accounts and 8 jobs with 8 objects.\n'),
  });
  expect(await contentsOf(back)).toEqual(contents);

  await expectWork(target, filled);
  await expectWork(back, filled);
});

/** An export of a filled store, as the tests below need it in several forms. */
let source: { readonly dataDirectory: string };
let archive: Buffer;
beforeAll(async () => {
  source = { dataDirectory: await copiedDatabase() };
  await fillStore(source);
  archive = await runBytes(['export', '-', ...flagsOf(source)]);
}, TIMEOUT_MS);

const importTo = (place: StorePlace, from: string, stdin?: Buffer) =>
  runCommand(['import', from, ...flagsOf(place)], { stdin });

/** Imports the whole archive, and checks that it arrived. */
async function expectImport(place: StorePlace): Promise<void> {
  const { code, stderr } = await importTo(place, '-', archive);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(await contentsOf(place)).toEqual(await contentsOf(source));
}

test('a compressed archive is imported into a store that only its first start has touched', async () => {
  const target = { dataDirectory: await dataDirectory() };
  {
    await using service = openJobStore(target);
    expect(await service.accounts.initialToken).toBeDefined();
  }
  expect(await importTo(target, '-', gzipSync(archive))).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringMatching(
      /^Importing media and transcripts\.\nImporting accounts and jobs\.\nImported 2 /,
    ),
  });
  expect(await contentsOf(target)).toEqual(await contentsOf(source));
});

test('a store in use is neither exported nor filled', async () => {
  await using _ = openJobStore(source);
  for (const args of [
    ['export', '-'],
    ['import', '.'],
  ]) {
    expect(await runCommand([...args, ...flagsOf(source)])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        `another service uses '${source.dataDirectory}'. Stop that service first.`,
      ),
    });
  }
});

test('a store with data is not filled, and stays as it is', async () => {
  const before = await contentsOf(source);
  expect(await importTo(source, '-', archive)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('the store has accounts or jobs already'),
  });
  expect(await contentsOf(source)).toEqual(before);
});

test('a directory without data is not exported, nor made', async () => {
  const missing = join(await temporaryDirectory(), 'missing');
  expect(await runCommand(['export', '-', '--data', missing])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`Directory '${missing}' has no data of a service.`),
  });
  expect(await runCommand(['import', missing, '--data', missing])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Directory '${missing}' does not exist.`),
  });
  expect(existsSync(missing)).toBe(false);
});

test('an export overwrites nothing, and is not for a terminal', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'file'), '');
  expect(await runCommand(['export', directory, ...flagsOf(source)])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Directory '${directory}' is not empty. Name a new one.`),
  });
  expect(await runCommand(['export', join(directory, 'file'), ...flagsOf(source)])).toMatchObject({
    code: 3,
  });
  expect(await runCommand(['export', '-', ...flagsOf(source)], { columns: 200 })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('A tar archive is not for a terminal.'),
  });
  expect(await readdir(directory)).toEqual(['file']);
});

test('a server that cannot be reached ends a command', async () => {
  const args = cli`export - --data ${await temporaryDirectory()} --database postgres://127.0.0.1:1/none`;
  expect(await runCommand(args)).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/The database cannot be reached: .*ECONNREFUSED.*/),
  });
});

test('an archive is refused that is cut, no archive, or with a link', async () => {
  const target = { dataDirectory: await dataDirectory() };
  const link = new Header({
    path: 'manifest.json',
    type: 'SymbolicLink',
    linkpath: '/etc/passwd',
    size: 0,
    mtime: new Date(),
  });
  link.encode();
  const cases: readonly (readonly [Buffer, string])[] = [
    [archive.subarray(0, archive.length / 2), 'it is not a whole tar archive (Truncated input'],
    [archive.subarray(0, archive.lastIndexOf('SHA256SUMS')), "it is incomplete, as 'SHA256SUMS' is missing"],
    [gzipSync(archive).subarray(0, -9), 'it is not a whole tar archive ('],
    [Buffer.from('no archive'), 'it is not a whole tar archive (Unrecognized archive format'],
    [Buffer.of(), 'it is not a whole tar archive (Unrecognized archive format'],
    [
      Buffer.concat([link.block!, Buffer.alloc(1024)]),
      "'manifest.json' in the tar archive is no regular file",
    ],
  ];
  for (const [bytes, message] of cases) {
    const { code, stderr } = await importTo(target, '-', bytes);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
  }
  await expectImport(target);
});

test('a directory is refused that lacks a file, has a link, or was not finished', async () => {
  const target = { dataDirectory: await dataDirectory() };
  const directory = join(await temporaryDirectory(), 'export');
  expect(await runCommand(['export', directory, ...flagsOf(source)])).toMatchObject({ code: 0 });
  const refused = async (message: string) => {
    const { code, stderr } = await importTo(target, directory);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
  };
  const [object] = (await readdir(join(directory, 'objects/jobs'), { recursive: true })).filter(path =>
    path.endsWith('transcript'),
  );
  const path = join(directory, 'objects/jobs', object!);
  await rename(path, `${path}.moved`);
  await refused(`'objects/jobs/${object}' is missing`);
  await symlink(`${path}.moved`, path);
  await refused(`'objects/jobs/${object}' is no regular file`);
  await rename(`${path}.moved`, path);
  const intact = await readFile(path);
  await writeFile(path, 'changed');
  await refused(`'objects/jobs/${object}' is damaged`);
  await writeFile(path, intact);
  const checksums = join(directory, 'SHA256SUMS');
  const lines = await readFile(checksums, 'utf8');
  await writeFile(checksums, lines.replace(/(.+objects.+\n)/, '$1$1'));
  await refused('twice.');
  await writeFile(checksums, lines);
  await appendFile(checksums, `${'0'.repeat(64)}  ../secret\n`);
  await refused("it has an unknown file '../secret'");
  await rm(checksums);
  await refused("it is incomplete, as 'SHA256SUMS' is missing");
  await rm(join(directory, 'manifest.json'));
  await refused(`'${directory}' has no 'manifest.json'`);
});

test('a killed import keeps services away, until it is repeated', { tags: 'slow' }, async () => {
  const target = { dataDirectory: await dataDirectory() };
  const options = { stdin: archive.subarray(0, archive.length / 2), staysOpen: true };
  const { process, errorLine, done } = startProcess(['import', '-', ...flagsOf(target)], options);
  await errorLine(/Importing media/);
  process.kill('SIGKILL');
  await done;
  await expect(contentsOf(target)).rejects.toThrow(
    'Cannot open the store: an import into it is in progress, or was interrupted. Run the import again.',
  );
  await expectImport(target);
});

test('an interrupted import ends at once, and can be repeated', { tags: 'slow' }, async () => {
  const target = { dataDirectory: await dataDirectory() };
  const options = { stdin: archive.subarray(0, archive.length / 2), staysOpen: true };
  const running = startCommand(['import', '-', ...flagsOf(target)], options);
  await running.errorLine(/Importing media/);
  running.interrupt();
  expect(await running.done).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('Interrupted. Run the same command again.\n'),
  });
  await expectImport(target);
});

test('an interrupted export is incomplete, and refused', async () => {
  const directory = join(await temporaryDirectory(), 'export');
  const running = startCommand(['export', directory, ...flagsOf(source)]);
  await running.errorLine(/Exporting jobs in progress/);
  running.interrupt();
  expect(await running.done).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('Interrupted. The written part is incomplete: delete it.\n'),
  });
  expect(existsSync(join(directory, 'SHA256SUMS'))).toBe(false);
  expect(await importTo({ dataDirectory: await dataDirectory() }, directory)).toMatchObject({ code: 3 });
});

test('an export whose reader goes away fails', { tags: 'slow' }, async () => {
  const { process, done } = startProcess(['export', '-', ...flagsOf(source)]);
  process.stdout!.destroy();
  expect(await done).toMatchObject({ code: 3, stderr: expect.stringContaining('Cannot write the export: ') });
});
