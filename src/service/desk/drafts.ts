import type { Kysely } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { DeskChange, DeskDraftJson, DeskTurn } from '../../protocol/desk.ts';
import { DESK_LIMITS } from '../../protocol/limits.ts';
import { refuse } from '../areas/faults.ts';
import { ProblemError } from '../problems.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';
import {
  claimedJob,
  claimedNow,
  conflict,
  type DeskContext,
  machineTranscript,
  segmentsOf,
} from './deskContext.ts';
import type { DeskUser } from './deskUsers.ts';
import { checkTurns, turnsOf } from './turns.ts';

/** Turns of a new block, and the maximum of a block. */
const BLOCK_TURNS = { initial: 64, most: 128 } as const;

/** Maximum size of a draft in the database, in bytes; one of three hours has less than a hundredth. */
const MAX_DRAFT_BYTES = 64 * 2 ** 20;

/** Returns the draft of a job; undefined when nothing has been saved. */
export async function readDraft(db: Kysely<Tables>, jobId: string): Promise<DeskDraftJson | undefined> {
  // One statement, so that both are of one moment.
  const rows = await db
    .selectFrom('deskDrafts')
    .leftJoin('deskBlocks', 'deskBlocks.jobId', 'deskDrafts.jobId')
    .selectAll('deskDrafts')
    .select('deskBlocks.turns')
    .where('deskDrafts.jobId', '=', jobId)
    .orderBy('deskBlocks.place')
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  const { revision, speakerNames, savedBy, savedOn } = first;
  return {
    revision,
    turns: rows.flatMap(({ turns }) => turns ?? []),
    speaker_names: speakerNames ?? undefined,
    ...(savedBy !== null && { saved_by: savedBy, saved_on: savedOn.toISOString() }),
  };
}

/** Stores turns as revision 0 of a draft, unless there is a draft; returns the latest one. */
export async function beginDraft(
  trx: Kysely<Tables>,
  jobId: string,
  turns: readonly DeskTurn[],
  now: Date,
): Promise<DeskDraftJson> {
  const begun = await trx
    .insertInto('deskDrafts')
    .values({ jobId, revision: 0, savedOn: now })
    .onConflict(conflict => conflict.doNothing())
    .returning('revision')
    .executeTakeFirst();
  if (begun) await insertBlocks(trx, jobId, turns, 0);
  return begun ? { revision: 0, turns } : (await readDraft(trx, jobId))!;
}

/**
 * Applies a change to the draft of a job.
 *
 * @param trx a transaction, to be rolled back unless this succeeds
 * @returns the new revision; undefined when the change is based on another revision than the latest
 * @throws ProblemError `payloadTooLarge` when the draft would become too long; `invalidParameters` for turns that do not exist
 */
export async function saveDraft(
  trx: Kysely<Tables>,
  jobId: string,
  change: DeskChange,
  saved: { readonly savedBy: string; readonly savedOn: Date },
): Promise<number | undefined> {
  const names = change.speaker_names;
  const updated = await trx
    .updateTable('deskDrafts')
    .set({ revision: change.revision + 1, ...saved, ...(names && { speakerNames: JSON.stringify(names) }) })
    .where('jobId', '=', jobId)
    .where('revision', '=', change.revision)
    .returning('revision')
    .executeTakeFirst();
  if (updated) await changeBlocks(trx, jobId, change);
  return updated?.revision;
}

interface Block {
  readonly id: string;
  readonly place: number;
  /** Number of its turns. */
  readonly count: number;
  /** Bytes that it takes in the database, compressed. */
  readonly bytes: number;
}

/** Rewrites the blocks that a change touches, or all when one would become too long. */
async function changeBlocks(trx: Kysely<Tables>, jobId: string, change: DeskChange): Promise<void> {
  const blocks: readonly Block[] = await trx
    .selectFrom('deskBlocks')
    .select(({ fn }) => [
      'id',
      'place',
      fn<number>('jsonb_array_length', ['turns']).as('count'),
      fn<number>('pg_column_size', ['turns']).as('bytes'),
    ])
    .where('jobId', '=', jobId)
    .orderBy('place')
    .execute();
  const { from, to, turns: added } = change;
  const count = countOf(blocks);
  if (from > to) refuse([['to', 'must be at least from']]);
  if (to > count) refuse([['to', `must be at most ${count}, the number of turns`]]);
  const growth = added.length - (to - from);
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  if (count + growth > DESK_LIMITS.turns || bytes > MAX_DRAFT_BYTES) {
    throw new ProblemError('payloadTooLarge', { detail: 'The text is too long.' });
  }
  const touched = touchedBy(change, blocks);
  const length = countOf(touched) + growth;
  const rewritten = length > BLOCK_TURNS.most ? blocks : touched;
  const [first] = rewritten;
  const before = countOf(blocks.slice(0, first && blocks.indexOf(first)));
  const ids = rewritten.map(({ id }) => id);
  const turns = await takeTurns(trx, ids);
  const changed = turns.toSpliced(from - before, to - from, ...added);
  await insertBlocks(trx, jobId, changed, first?.place ?? 0);
}

const countOf = (blocks: readonly Block[]) => blocks.reduce((sum, { count }) => sum + count, 0);

/** Returns the blocks with the turns of a change, and those beside it: they are consecutive. */
function touchedBy({ from, to }: DeskChange, blocks: readonly Block[]): readonly Block[] {
  let start = 0;
  return blocks.filter(({ count }) => {
    const isTouched = start <= to && start + count >= from;
    start += count;
    return isTouched;
  });
}

/** Deletes blocks and returns their turns. */
async function takeTurns(trx: Kysely<Tables>, ids: readonly string[]): Promise<readonly DeskTurn[]> {
  if (ids.length === 0) return [];
  const deleted = trx.deleteFrom('deskBlocks').where('id', 'in', ids).returning(['place', 'turns']);
  const rows = (await deleted.execute()).sort((one, other) => one.place - other.place);
  return rows.flatMap(({ turns }) => turns);
}

/** Inserts turns as blocks, at places from the given one upwards. At most {@link BLOCK_TURNS.most} form one block. */
async function insertBlocks(
  trx: Kysely<Tables>,
  jobId: string,
  turns: readonly DeskTurn[],
  place: number,
): Promise<void> {
  const size = turns.length > BLOCK_TURNS.most ? BLOCK_TURNS.initial : BLOCK_TURNS.most;
  for (let at = 0; at < turns.length; at += size) {
    const block = JSON.stringify(turns.slice(at, at + size));
    const row = { id: createId(), jobId, place: place + at / size, turns: block };
    await trx.insertInto('deskBlocks').values(row).execute();
  }
}

/** Creates the texts of jobs that people have claimed. All calls throw a ProblemError unless the user has claimed the job. */
export function createDeskTexts(context: DeskContext) {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  const machineTurns = async (job: JobRecord): Promise<readonly DeskTurn[]> =>
    turnsOf(await machineTranscript(context, job), segmentsOf(job));

  return {
    /** Returns the latest draft. The first one is the text of the machine. */
    async read(user: DeskUser, id: string): Promise<DeskDraftJson> {
      const job = await claimedNow(context, user, id);
      const { db } = await opened;
      const known = await readDraft(db, id);
      if (known) return known;
      const turns = await machineTurns(job);
      return db.transaction().execute(async trx => {
        await claimedJob(trx, { id, user, now: now() });
        return beginDraft(trx, id, turns, now());
      });
    },

    /** Returns the text of the machine. */
    async machine(user: DeskUser, id: string): Promise<DeskDraftJson> {
      return { revision: 0, turns: await machineTurns(await claimedNow(context, user, id)) };
    },

    /** Saves a change, and returns the new revision. @throws ProblemError when another revision is the latest */
    async save(user: DeskUser, id: string, change: DeskChange): Promise<number> {
      const { db } = await opened;
      return db.transaction().execute(async trx => {
        const { durationSeconds = 0 } = await claimedJob(trx, { id, user, now: now() });
        checkTurns(change.turns, durationSeconds);
        const revision = await saveDraft(trx, id, change, { savedBy: user.name, savedOn: now() });
        if (revision === undefined) throw conflict('revision');
        return revision;
      });
    },
  };
}
