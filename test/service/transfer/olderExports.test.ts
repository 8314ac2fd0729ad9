import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { hashToken } from '../../../src/service/accounts/tokens.ts';
import { MIGRATIONS } from '../../../src/service/store/migrations.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { importParts } from '../../../src/service/transfer/importStore.ts';
import { type Part, type StateTable, tablePath, writeManifest } from '../../../src/service/transfer/parts.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { openJobStore } from '../../helpers/jobStore.ts';

type Rows = Partial<Record<StateTable, readonly Readonly<Record<string, unknown>>[]>>;

/** Yields an export as a release with these migrations wrote it. */
async function* exportOf(migrations: readonly string[], rows: Rows): AsyncGenerator<Part> {
  const files = new Map([
    ['manifest.json', writeManifest({ release: '0.0.1', createdOn: new Date(0), migrations })],
  ]);
  for (const [table, list] of Object.entries(rows)) {
    files.set(tablePath(table as StateTable), list.map(row => `${JSON.stringify(row)}\n`).join(''));
  }
  const sums = [...files].map(
    ([path, text]) => `${createHash('sha256').update(text).digest('hex')}  ${path}\n`,
  );
  files.set('SHA256SUMS', sums.join(''));
  for (const [path, text] of files) {
    const bytes = Buffer.from(text);
    yield { path, bytes: bytes.length, contents: piecesOf(bytes) };
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function unexpected(error: unknown): never {
  throw error;
}

async function importInto(
  place: { readonly dataDirectory: string },
  parts: AsyncIterable<Part>,
): Promise<void> {
  const store = openStore({ ...place, forImport: true, clock: systemClock, onError: unexpected });
  try {
    const signal = new AbortController().signal;
    const options = { clock: systemClock, signal, onProgress() {}, onError: unexpected };
    await importParts(await store.opened, parts, options);
    const { rows } = await sql`select 1 from pg_namespace where nspname = 'rxscribe_import'`.execute(
      (await store.opened).db,
    );
    expect(rows).toEqual([]);
  } finally {
    await store.close();
  }
}

const CREATED = '2026-01-02T03:04:05.678901+00:00';
const JOB = {
  ...{ id: 'Job1', account_id: 'owner', type: 'async', status: 'done', created_on: CREATED },
  ...{ completed_on: CREATED, language: 'en', metadata: null, duration_seconds: 2.5 },
  ...{ delete_after_seconds: null, delete_at: null, failure: null, failure_detail: null, lease_until: null },
};

test('an export of the first release is imported, with what its rows became later', async () => {
  const place = { dataDirectory: await dataDirectory() };
  const account = { id: 'owner', email: 'owner@localhost', balance_seconds: 12.5, created_on: CREATED };
  const token = { hash: hashToken('older'), account_id: 'owner', created_on: CREATED };
  const rows = { accounts: [account], tokens: [token], jobs: [JOB] };
  await importInto(place, exportOf(['0001_accounts_and_jobs'], rows));
  await using service = openJobStore(place);
  expect(await service.accounts.initialToken).toBeUndefined();
  expect(await service.accounts.authenticate('older')).toEqual({ accountId: 'owner', limits: {} });
  expect((await service.accounts.administration.listTokens('owner')).map(({ id }) => id)).toEqual(['first']);
  expect(await service.jobs.find('owner', 'Job1')).toMatchObject({
    ...{ createdOn: new Date('2026-01-02T03:04:05.678Z'), retentionSeconds: 2_592_000, reservedSeconds: 0 },
  });
});

test('an export of the release before several machines is imported, and its queued job runs', async () => {
  const place = { dataDirectory: await dataDirectory() };
  const before = Object.keys(MIGRATIONS).filter(name => name < '0005');
  expect(before).toHaveLength(4);
  const account = {
    ...{ id: 'owner', email: 'owner@localhost', balance_seconds: 12.5, created_on: CREATED },
    ...{ reserved_seconds: 3, delete_after_seconds: 60, signing_secret: null, max_streams: 2 },
    ...{ max_jobs_in_progress: null, requests_per_second: null, request_burst: null },
  };
  const job = {
    ...{ ...JOB, status: 'in_progress', completed_on: null, stage: null, name: null, options: { a: 1 } },
    ...{ notification: { url: 'http://127.0.0.1:9/' }, findings: null, reserved_seconds: 3, attempts: 1 },
    ...{ claimed_by: null, retention_seconds: 60, turn: 4, is_urgent: null, progress: 50 },
  };
  const delivery = {
    ...{ id: 'Delivery1', job_id: 'Job0', account_id: 'owner', url: 'http://127.0.0.1:9/' },
    ...{ authorization: null, body: '{}', created_on: new Date().toISOString().replace('Z', '+00:00') },
  };
  const removed = {
    id: 'Job0',
    account_id: 'owner',
    type: 'async',
    created_on: CREATED,
    removed_on: CREATED,
  };
  const rows = {
    accounts: [account],
    tokens: [],
    jobs: [job],
    removed_jobs: [removed],
    deliveries: [delivery],
  };
  await importInto(place, exportOf(before, rows));
  const delivered = new Set<string>();
  const ended = Promise.withResolvers<void>();
  await using service = openJobStore(place, {
    tasks: { async: async () => ({ durationSeconds: 2.5, results: { transcript: 'words' } }) },
    deliver: async ({ deliveryId }) => {
      delivered.add(deliveryId);
      if (delivered.size === 2) ended.resolve();
      return { outcome: 'delivered' };
    },
  });
  await ended.promise;
  expect(delivered).toContain('Delivery1');
  expect(await service.jobs.result('Job1', 'transcript')).toBe('words');
  expect(await service.accounts.administration.find('owner')).toMatchObject({
    ...{ balanceSeconds: 10, reservedSeconds: 0, deleteAfterSeconds: 60, limits: { streams: 2 } },
  });
});
