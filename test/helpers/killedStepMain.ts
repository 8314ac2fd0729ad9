import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { OpenStore } from '../../src/service/store/store.ts';
import type { Tables } from '../../src/service/store/tables.ts';
import { openJobStore } from './jobStore.ts';
import { type KilledWork, OTHER } from './killedSteps.ts';
import { OWNER, submission } from './scriptedTasks.ts';

/**
 * A program that does a work in the store of its first argument, and kills itself before one of its steps: a statement or a
 * transaction of the database, or a change of the objects. It ends with code 0 when the work has fewer steps.
 */
const [place = '', name = '', steps = ''] = process.argv.slice(2);
let left = Number.POSITIVE_INFINITY;
const step = () => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL');
};
const begin = () => {
  left = Number(steps);
};

const stepped =
  <Values extends readonly unknown[], T>(change: (...values: Values) => Promise<T>) =>
  (...values: Values): Promise<T> => {
    step();
    return change(...values);
  };

/** A transaction has two steps, its begin and its commit: the database undoes what is between them. */
function steppedDatabase(db: OpenStore['db']): OpenStore['db'] {
  let transactions = 0;
  const plugged = db.withPlugin({
    transformQuery({ node }) {
      if (transactions === 0) step();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const transaction = plugged.transaction.bind(plugged);
  const execute = async <T>(run: (trx: Transaction<Tables>) => Promise<T>): Promise<T> => {
    step();
    transactions++;
    const began = transaction().execute(async trx => {
      const done = await run(trx);
      step();
      return done;
    });
    return began.finally(() => transactions--);
  };
  return Object.assign(plugged, { transaction: () => ({ execute }) });
}

const service = openJobStore(JSON.parse(place), {
  worksOnQueue: name !== 'submit',
  tasks: {
    async async(job) {
      if (job.id === 'ended') begin();
      return { durationSeconds: 1, results: { transcript: 'words', more: 'more' } };
    },
    human_tc: async () => ({ durationSeconds: 1, results: { transcript: 'draft' }, waits: true }),
  },
});
const { jobs, accounts, store } = service;
void store.opened.then(opened => {
  const { put, adopt, removeAll } = opened.objects;
  Object.assign(opened.objects, { put: stepped(put), adopt: stepped(adopt), removeAll: stepped(removeAll) });
  Object.assign(opened, { db: steppedDatabase(opened.db) });
});
await accounts.initialToken;
const { objects } = await store.opened;
const notification = { url: 'http://127.0.0.1:9/' };

async function media(): Promise<string> {
  const path = join(objects.spoolDirectory, name);
  await writeFile(path, 'media');
  return path;
}

const WORKS: Readonly<Record<KilledWork, () => Promise<unknown>>> = {
  async remove() {
    await jobs.submit(submission('removed', { notification, input: {} }));
    await jobs.ended(OWNER, 'removed', new AbortController().signal);
    begin();
    await jobs.remove('removed');
  },
  async submit() {
    const given = submission('submitted', { input: {}, media: await media(), reserveSeconds: 2 });
    await jobs.find(OWNER, 'nothing');
    begin();
    await jobs.submit(given);
  },
  async end() {
    await jobs.submit(submission('ended', { notification, input: {}, reserveSeconds: 2 }));
    await jobs.ended(OWNER, 'ended', new AbortController().signal);
  },
  async finishUnkept() {
    const job = { type: 'human_tc', notification, input: {}, deleteAfterSeconds: 0 };
    await jobs.submit(submission('finished', job));
    while ((await jobs.human.waiting({ limit: 1 })).length === 0) await setTimeout(20);
    begin();
    await jobs.human.finish('finished', { status: 'done' }, { transcript: 'words' });
  },
  async close() {
    const account = (await accounts.administration.create(OTHER, 0))!;
    await accounts.administration.createToken(account.id);
    await jobs.submit(submission('one', { accountId: account.id, notification, input: {} }));
    await jobs.ended(account.id, 'one', new AbortController().signal);
    begin();
    await accounts.administration.close(account.id);
    await jobs.removeAll(account.id);
  },
};
await WORKS[name as KilledWork]();
left = Number.POSITIVE_INFINITY;
await service.close();
