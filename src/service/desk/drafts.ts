import type { Kysely } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { DeskChange, DeskDraftJson, DeskTurn } from '../../protocol/desk.ts';
import type { Tables } from '../store/tables.ts';

/** Turns of a new block, and most turns of one. */
const BLOCK_TURNS = { initial: 64, most: 128 } as const;

/** Returns the draft of a job; undefined when nothing has been saved. */
export async function readDraft(db: Kysely<Tables>, jobId: string): Promise<DeskDraftJson | undefined> {
  // One statement, so that both are of one moment.
  const rows = await db
    .selectFrom('deskDrafts')
    .leftJoin('deskBlocks', 'deskBlocks.jobId', 'deskDrafts.jobId')
    .select(['deskDrafts.revision', 'deskBlocks.turns'])
    .where('deskDrafts.jobId', '=', jobId)
    .orderBy('deskBlocks.place')
    .execute();
  const [first] = rows;
  return first && { revision: first.revision, turns: rows.flatMap(({ turns }) => turns ?? []) };
}

/**
 * Applies a change to the draft of a job.
 *
 * @param trx a transaction
 * @param machine the turns of revision 0, for a change of it
 * @returns the new revision; undefined when the change is of another one, or of turns that do not exist
 */
export async function saveDraft(
  trx: Kysely<Tables>,
  jobId: string,
  change: DeskChange,
  { machine, now }: { readonly machine: readonly DeskTurn[] | undefined; readonly now: Date },
): Promise<number | undefined> {
  if (change.revision === 0) {
    const first = await trx
      .insertInto('deskDrafts')
      .values({ jobId, revision: 1, savedOn: now })
      .onConflict(conflict => conflict.doNothing())
      .returning('revision')
      .executeTakeFirst();
    const turns = machine && spliced(machine, change);
    if (!first || !turns) return undefined;
    await insertBlocks(trx, jobId, turns, 0);
    return first.revision;
  }
  const updated = await trx
    .updateTable('deskDrafts')
    .set({ revision: change.revision + 1, savedOn: now })
    .where('jobId', '=', jobId)
    .where('revision', '=', change.revision)
    .returning('revision')
    .executeTakeFirst();
  if (!updated || !(await changeBlocks(trx, jobId, change))) return undefined;
  return updated.revision;
}

/** Returns turns with a change; undefined when it concerns turns that do not exist. */
function spliced(
  turns: readonly DeskTurn[],
  { from, to, turns: added }: Pick<DeskChange, 'from' | 'to' | 'turns'>,
): readonly DeskTurn[] | undefined {
  if (from > to || to > turns.length) return undefined;
  return [...turns.slice(0, from), ...added, ...turns.slice(to)];
}

interface Block {
  readonly id: string;
  readonly place: number;
  /** Number of its turns. */
  readonly count: number;
}

/**
 * Rewrites the blocks that a change touches, or all when one would become too long. Returns false when the change concerns
 * turns that do not exist.
 */
async function changeBlocks(trx: Kysely<Tables>, jobId: string, change: DeskChange): Promise<boolean> {
  const blocks: readonly Block[] = await trx
    .selectFrom('deskBlocks')
    .select(({ fn }) => ['id', 'place', fn<number>('jsonb_array_length', ['turns']).as('count')])
    .where('jobId', '=', jobId)
    .orderBy('place')
    .execute();
  const touched = touchedBy(change, blocks);
  const length = countOf(touched) - (change.to - change.from) + change.turns.length;
  const rewritten = length > BLOCK_TURNS.most ? blocks : touched;
  const [first] = rewritten;
  const before = countOf(blocks.slice(0, first && blocks.indexOf(first)));
  const { from, to, turns: added } = change;
  const ids = rewritten.map(({ id }) => id);
  const turns = spliced(await turnsIn(trx, ids), { from: from - before, to: to - before, turns: added });
  if (!turns) return false;
  if (ids.length > 0) await trx.deleteFrom('deskBlocks').where('id', 'in', ids).execute();
  await insertBlocks(trx, jobId, turns, first?.place ?? 0);
  return true;
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

async function turnsIn(trx: Kysely<Tables>, ids: readonly string[]): Promise<readonly DeskTurn[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom('deskBlocks')
    .select('turns')
    .where('id', 'in', ids)
    .orderBy('place')
    .execute();
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
