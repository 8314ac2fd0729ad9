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
import { laterRelease } from '../../helpers/laterRelease.ts';
import { unexpected } from '../../helpers/unexpected.ts';

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

test('an export of an earlier release is imported with the changes since, and its work goes on', async () => {
  const place = { dataDirectory: await dataDirectory() };
  const account = {
    ...{ id: 'owner', email: 'owner@localhost', balance_seconds: 12.5, created_on: CREATED },
    ...{ reserved_seconds: 3, delete_after_seconds: 60, signing_secret: null, max_streams: 2 },
    ...{ max_jobs_in_progress: null, requests_per_second: null, request_burst: null, removed_on: null },
    learn_from_corrections: false,
  };
  const token = {
    ...{ hash: hashToken('token'), id: 'first', account_id: 'owner', name: null },
    ...{ created_on: CREATED, last_used_on: null },
  };
  const job = {
    ...{ id: 'Job1', account_id: 'owner', type: 'async', status: 'in_progress', stage: null, name: null },
    ...{ created_on: CREATED, completed_on: null, language: 'en', metadata: null, options: { a: 1 } },
    ...{ notification: { url: 'http://127.0.0.1:9/' }, duration_seconds: null, findings: null },
    ...{ delete_after_seconds: null, retention_seconds: 60, delete_at: null, failure: null },
    ...{ failure_detail: null, progress: 50, reserved_seconds: 3, attempts: 1, turn: 4, is_urgent: null },
    ...{ lease_until: null, claimed_by: null, request_id: null, results_id: null },
  };
  const delivery = {
    ...{ id: 'Delivery1', job_id: 'Job0', account_id: 'owner', url: 'http://127.0.0.1:9/' },
    ...{ authorization: null, body: '{}', created_on: new Date().toISOString().replace('Z', '+00:00') },
  };
  const rows = {
    ...{ accounts: [account], tokens: [token], jobs: [job], removed_jobs: [], deliveries: [delivery] },
    ...{ desk_users: [], desk_drafts: [], desk_blocks: [], desk_events: [], desk_proposals: [] },
    learned_phrases: [],
  };
  const earlier = exportOf(Object.keys(MIGRATIONS), rows);
  using _ = laterRelease('9998_expand_colours', [
    'alter table jobs add column colour text',
    "update jobs set colour = 'red', metadata = 'changed'",
  ]);
  await importInto(place, earlier);
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
  expect(await service.jobs.find('owner', 'Job1')).toMatchObject({
    ...{ createdOn: new Date('2026-01-02T03:04:05.678Z'), metadata: 'changed', colour: 'red' },
  });
  expect(await service.accounts.authenticate('token')).toEqual({
    accountId: 'owner',
    limits: { streams: 2 },
  });
  expect(await service.accounts.administration.find('owner')).toMatchObject({
    ...{ balanceSeconds: 10, reservedSeconds: 0, deleteAfterSeconds: 60, maxStreams: 2 },
  });
});
