import { expect, test } from 'vitest';
import { INITIAL_BALANCE_SECONDS } from '../../src/service/accounts/accounts.ts';
import { collect } from './collect.ts';
import { eventually } from './eventually.ts';
import { openJobStore, type StorePlace } from './jobStore.ts';
import { type KilledWork, killAtStep, OTHER } from './killedSteps.ts';
import { sweepingClock } from './killRounds.ts';
import { OWNER } from './scriptedTasks.ts';
import type { StoreBackend } from './storeBackends.ts';

type Service = ReturnType<typeof openJobStore>;

/** Opens the store of a killed process as another one does. */
function nextService(place: StorePlace): Service {
  const transcribed = { durationSeconds: 1, results: { transcript: 'words', more: 'more' } };
  return openJobStore(place, {
    clock: sweepingClock(),
    onError: () => {},
    tasks: { async: async () => transcribed },
  });
}

/** The data of a store: ids of jobs and notified jobs, names of objects, and what the first account has. */
async function contentsOf({ store, accounts }: Service) {
  const { db, objects } = await store.opened;
  const jobs = await db.selectFrom('jobs').select(['id', 'status']).orderBy('id').execute();
  const notified = await db.selectFrom('deliveries').select('jobId').execute();
  const owner = await db.selectFrom('accounts').selectAll().where('id', '=', OWNER).executeTakeFirstOrThrow();
  return {
    jobs,
    notified: notified.map(({ jobId }) => jobId),
    submitted: await collect(objects.names('submitted')),
    results: await collect(objects.names('jobs')),
    used: INITIAL_BALANCE_SECONDS - owner.balanceSeconds,
    held: owner.reservedSeconds,
    other: await accounts.administration.find(OTHER),
  };
}

const NOTHING = { jobs: [], notified: [], submitted: [], results: [], used: 0, held: 0, other: undefined };

/** Checks of what the next process finds, at once and in the end. */
const CHECKS: Readonly<Record<KilledWork, (service: Service) => Promise<void>>> = {
  async remove(service) {
    const result = await service.jobs.result('removed', 'transcript');
    const seen = await service.jobs.find(OWNER, 'removed');
    if (seen) {
      expect([seen.status, result]).toEqual(['done', 'words']);
      expect(await contentsOf(service)).toMatchObject({ notified: ['removed'], results: ['removed'] });
    } else {
      await eventually(async () => expect(await contentsOf(service)).toEqual({ ...NOTHING, used: 1 }));
    }
  },
  async submit(service) {
    // An unfinished submission leaves nothing, and a finished one runs.
    await eventually(async () => {
      const found = await contentsOf(service);
      if (found.jobs.length === 0) return expect(found).toEqual(NOTHING);
      const jobs = [{ id: 'submitted', status: 'done' }];
      expect(found).toEqual({ ...NOTHING, jobs, results: ['submitted'], used: 1 });
    });
  },
  async end(service) {
    const jobs = [{ id: 'ended', status: 'done' }];
    const expected = { ...NOTHING, jobs, notified: ['ended'], results: ['ended'], used: 1 };
    await eventually(async () => expect(await contentsOf(service)).toEqual(expected));
    expect(await service.jobs.result('ended', 'transcript')).toBe('words');
  },
  async finishUnkept(service) {
    const waits = { jobs: [{ id: 'finished', status: 'in_progress' }], results: ['finished'] };
    const isFinished = (await service.jobs.find(OWNER, 'finished')) === undefined;
    const left = isFinished ? { notified: ['finished'], used: 1 } : { ...waits, submitted: ['finished'] };
    await eventually(async () => expect(await contentsOf(service)).toEqual({ ...NOTHING, ...left }));
  },
  async close(service) {
    const account = await service.accounts.administration.find(OTHER);
    if (account && !account.removedOn) expect(await service.jobs.count(account.id)).toBe(1);
    else await eventually(async () => expect(await contentsOf(service)).toEqual(NOTHING));
  },
};

/** Rounds that run beside each other. */
const ROUNDS_AT_ONCE = 2;

/** Tests that each work of several steps may be killed before any of them, on stores of one kind. */
export function testKilledSteps({ locate }: StoreBackend): void {
  test.for([
    ['remove', 'the deletion of a job leaves the job whole, or nothing of it'],
    ['submit', 'a submission leaves a job that runs, or nothing'],
    ['end', 'the end of a job happens once, with all results'],
    ['finishUnkept', 'the end of a human job that is not kept leaves its notification only'],
    ['close', 'the deletion of an account leaves the account whole, or nothing of it'],
  ] as const)('%s: %s', { timeout: 600_000 }, async ([work], context) => {
    let next = 1;
    let isEnded = false;
    const rounds = async () => {
      while (!isEnded) {
        const step = next++;
        const place = await locate(context);
        const isKilled = await killAtStep(place, work, step);
        await using service = nextService(place);
        await service.accounts.initialToken;
        await CHECKS[work](service);
        if (!isKilled) isEnded = true;
      }
    };
    await Promise.all(Array.from({ length: ROUNDS_AT_ONCE }, rounds));
    expect(next).toBeGreaterThan(2 + ROUNDS_AT_ONCE);
  });
}
