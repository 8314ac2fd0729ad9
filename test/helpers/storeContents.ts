import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { DeskTurn } from '../../src/protocol/desk.ts';
import { waitingJob } from '../../src/service/desk/deskContext.ts';
import { createDeskTrail } from '../../src/service/desk/deskTrail.ts';
import { createDeskUsers } from '../../src/service/desk/deskUsers.ts';
import { beginDraft } from '../../src/service/desk/drafts.ts';
import type { Task } from '../../src/service/jobs/task.ts';
import { type OpenStore, openStore } from '../../src/service/store/store.ts';
import { serviceLanes } from '../../src/service/tasks/serviceTasks.ts';
import { eventually } from './eventually.ts';
import { FAST_PASSWORDS } from './fastPasswords.ts';
import { type JobStoreOptions, openJobStore, type StorePlace } from './jobStore.ts';
import { submission, untilJob } from './scriptedTasks.ts';
import { unexpected } from './unexpected.ts';

/** The rows and objects of a store, to be compared. */
export interface StoreContents {
  /** Rows as JSON by table, in the order of their texts. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  /** Checksums of the objects by key. */
  readonly objects: Readonly<Record<string, string>>;
}

/** Reads the contents of a store that no service uses. */
export async function contentsOf(place: StorePlace): Promise<StoreContents> {
  const store = openStore({ ...place, clock: systemClock, onError: unexpected });
  try {
    return { rows: await rowsOf(await store.opened), objects: await objectsOf(await store.opened) };
  } finally {
    await store.close();
  }
}

function rowsOf({ db }: OpenStore): Promise<StoreContents['rows']> {
  return db.transaction().execute(async trx => {
    await sql`set local time zone 'UTC'`.execute(trx);
    const tables: Record<string, readonly string[]> = {};
    // The identity of a store, which one on a server gets when it is opened, is not part of its contents.
    const { rows: names } = await sql<{ table: string }>`
      select tablename as table from pg_tables where schemaname = 'public' and tablename <> 'store'`.execute(
      trx,
    );
    for (const { table } of names) {
      const { rows } = await sql<{ line: string }>`
        select row_to_json(t)::text as line from ${sql.table(table)} t`.execute(trx);
      tables[table] = rows.map(({ line }) => line).sort();
    }
    return tables;
  });
}

async function objectsOf({ objects }: OpenStore): Promise<StoreContents['objects']> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-contents-'));
  const found: Record<string, string> = {};
  const below = async (prefix: string) => {
    for await (const name of objects.names(prefix)) {
      const key = `${prefix}/${name}`;
      const path = /\/(?:input|media)$|\/results\/./.test(key) && (await objects.fileOf(key, directory));
      if (!path) await below(key);
      else
        found[key] = createHash('sha256')
          .update(await readFile(path))
          .digest('hex');
    }
  };
  await below('jobs');
  await below('submitted');
  await rm(directory, { recursive: true });
  return found;
}

/** Fills the tables of the desk, with a draft of the job that waits for a person. */
async function fillDesk(opened: Promise<OpenStore>): Promise<void> {
  const { db } = await opened;
  const now = new Date();
  const desk = createDeskUsers(opened, () => now, FAST_PASSWORDS);
  const ann = { name: 'ann', role: 'transcriber' } as const;
  await desk.add(ann, 'correct horse battery');
  const turns = [{ speaker: 0, text: 'grüße', words: [[0, 5, 0.25, 0.5]] } satisfies DeskTurn];
  await db.transaction().execute(trx => beginDraft(trx, 'human', turns, now));
  const trail = createDeskTrail(opened, () => now);
  await trail.add(ann.name, 'open', 'human');
  const job = await waitingJob(db, 'human');
  await trail.propose(ann, job, 'Ünïcode');
}

/** Options under which the jobs of {@link fillStore} run as they do there. */
export const FILLED_JOBS: JobStoreOptions = {
  lanes: serviceLanes(2),
  tasks: {
    async: endsWith({ durationSeconds: 2.5, results: { transcript: 'grüße\u2028 "1"' } }),
    human_tc: endsWith({ durationSeconds: 1, results: { transcript: 'by a machine' }, waits: true }),
    vocabulary: endsWith({ results: { phrases: '["Ada"]' } }),
    alignment: ({ id }, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        running.add(id);
      }),
  },
};

/** Ids of the jobs that have begun and never end. */
const running = new Set<string>();

function endsWith(result: Awaited<ReturnType<Task>>): Task {
  return async () => result;
}

/** Parts of a filled store that tests look for. */
export interface Filled {
  /** Token of the account `ada@example.org`. */
  readonly token: string;
  /** Id of the pending notification of the job `done`. */
  readonly deliveryId: string;
  /** Media of the job `held`, which runs when the store is closed. */
  readonly media: Buffer;
}

/** Fills a new store with jobs of every state, and closes it. */
export async function fillStore(place: StorePlace): Promise<Filled> {
  await using service = openJobStore(place, { ...FILLED_JOBS, token: 'token of the owner' });
  const { jobs, accounts } = service;
  await accounts.prepared;
  const { administration } = accounts;
  const ada = (await administration.create('ada@example.org', 3600.125))!;
  await administration.change(ada.id, {
    ...{
      deleteAfterSeconds: 86_400,
      signingSecret: 'né "secret"',
      limits: { streams: 3, requestsPerSecond: 0.5 },
    },
  });
  const { token } = await administration.createToken(ada.id, 'phone');
  const { db, objects } = await service.store.opened;
  const media = randomBytes(300_000);
  const spooled = join(objects.spoolDirectory, 'media');
  await writeFile(spooled, media);
  const common = { accountId: ada.id, reserveSeconds: 3 };
  await jobs.submit(
    submission('held', { ...common, type: 'alignment', media: spooled, input: { text: 'é' } }),
  );
  await jobs.submit(submission('queued', { ...common, type: 'alignment', input: { text: 'later' } }));
  await jobs.submit(submission('queued2', { ...common, type: 'alignment' }));
  await jobs.submit(
    submission('done', {
      ...common,
      metadata: 'line\nfeed',
      requestId: 'request-1',
      options: { nested: [1, 2.5, null, 'x'] },
      notification: { url: 'http://127.0.0.1:9/hook', authorization: 'Basic x' },
    }),
  );
  await jobs.submit(submission('failed', { ...common, type: 'language_id' }));
  await jobs.submit(
    submission('human', { ...common, type: 'human_tc', input: { verbatim: true }, isUrgent: true }),
  );
  await jobs.submit(submission('words', { ...common, type: 'vocabulary', isPermanent: true }));
  await jobs.submit(submission('gone', common));
  jobs
    .start({ id: 'stream', accountId: 'owner', type: 'stream' })
    .end({ status: 'done' }, { transcript: 'live' });
  await eventually(() => expect([...running]).toEqual(expect.arrayContaining(['held', 'queued'])));
  for (const id of ['done', 'words', 'gone']) {
    await untilJob(jobs, id, job => expect(job?.status).toBe('done'), ada.id);
  }
  await untilJob(jobs, 'failed', job => expect(job?.status).toBe('failed'), ada.id);
  await untilJob(jobs, 'human', job => expect(job?.stage).toBe('waiting'), ada.id);
  await jobs.human.claim('human', 'Ann', 3600);
  await fillDesk(service.store.opened);
  await jobs.remove('gone');
  const { id: deliveryId } = await db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow();
  return { token, deliveryId, media };
}
