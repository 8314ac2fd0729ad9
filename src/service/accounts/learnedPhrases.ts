import { type Kysely, sql } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { LearnedPhraseChange } from '../../protocol/admin.ts';
import type { LearnedPhraseJson } from '../../protocol/desk.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { ProblemError } from '../problems.ts';
import type { Tables } from '../store/tables.ts';

/**
 * Phrases that the later jobs of an account favour: those that people changed most often in its transcripts. An account without
 * the setting `learn_from_corrections` has none.
 */

/** Maximum number of phrases that a job favours: each one that is not spoken can cost a word. */
const MAX_FAVOURED = 100;
/** Maximum number of phrases that an account keeps. */
const MAX_KEPT = 1000;

/**
 * Adds to the counts of phrases, if the account learns from corrections.
 *
 * @param db the transaction that ends the job, so that its corrections count once
 * @param corrected resolves with the number of places of each phrase; called when the account learns
 */
export async function learnPhrases(
  db: Kysely<Tables>,
  accountId: string,
  corrected: () => Promise<ReadonlyMap<string, number>>,
  changedOn: Date,
): Promise<void> {
  const account = db.selectFrom('accounts').select('learnFromCorrections').where('id', '=', accountId);
  // The lock makes a change of the setting wait, so that it forgets these phrases too. The end of the job needs it later.
  if (!(await account.forNoKeyUpdate().executeTakeFirst())?.learnFromCorrections) return;
  const rows = [...(await corrected())].map(([phrase, count]) => {
    return { id: createId(), accountId, phrase, count, changedOn };
  });
  if (rows.length === 0) return;
  const learned = db.insertInto('learnedPhrases').onConflict(conflict =>
    conflict.columns(['accountId', 'phrase']).doUpdateSet(({ ref }) => ({
      count: sql`learned_phrases.count + ${ref('excluded.count')}`,
      changedOn,
    })),
  );
  await learned.values(rows).execute();
  const kept = ranked(db, accountId).select('id').limit(MAX_KEPT);
  await db
    .deleteFrom('learnedPhrases')
    .where('accountId', '=', accountId)
    .where('id', 'not in', kept)
    .execute();
}

/** Returns the phrases that a job of an account favours, most often changed first. */
export async function favouredPhrases(db: Kysely<Tables>, accountId: string): Promise<readonly string[]> {
  const favoured = ranked(db, accountId).select('phrase').where('isRemoved', '=', false).limit(MAX_FAVOURED);
  return (await favoured.execute()).map(({ phrase }) => phrase);
}

/** Returns the phrases of an account, or of all, most often changed first; removed ones are the first of all. */
export async function listLearnedPhrases(
  db: Kysely<Tables>,
  accountId?: string,
): Promise<readonly LearnedPhraseJson[]> {
  const rows = await ranked(db, accountId)
    .innerJoin('accounts', 'accounts.id', 'accountId')
    .select(['accountId', 'email', 'phrase', 'count', 'changedOn', 'isRemoved'])
    .limit(LIST_LIMIT.max)
    .execute();
  return rows.map(({ accountId: id, email, phrase, count, changedOn, isRemoved }) => ({
    ...{ account_id: id, customer: email, phrase, count },
    changed_on: changedOn.toISOString(),
    removed: isRemoved,
  }));
}

/**
 * Removes a phrase, or restores it.
 *
 * @throws ProblemError when the account has no such phrase
 */
export async function changeLearnedPhrase(
  db: Kysely<Tables>,
  accountId: string,
  { phrase, removed }: LearnedPhraseChange,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('learnedPhrases')
    .set({ isRemoved: removed })
    .where('accountId', '=', accountId)
    .where('phrase', '=', phrase)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new ProblemError('notFound', { detail: 'The account has no such phrase.' });
}

/** Deletes all phrases of an account, removed ones too. */
export async function forgetPhrases(db: Kysely<Tables>, accountId: string): Promise<void> {
  await db.deleteFrom('learnedPhrases').where('accountId', '=', accountId).execute();
}

/** Selects phrases in the order of their ranks. Removed ones are kept longest: they must not come back. */
function ranked(db: Kysely<Tables>, accountId?: string) {
  const all = db
    .selectFrom('learnedPhrases')
    .orderBy('isRemoved', 'desc')
    .orderBy('count', 'desc')
    .orderBy('changedOn', 'desc')
    .orderBy('phrase');
  return accountId === undefined ? all : all.where('accountId', '=', accountId);
}
