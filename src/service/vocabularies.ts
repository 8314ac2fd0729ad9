import type { Jobs } from './jobs/jobs.ts';

/** The type of the jobs of custom vocabularies. */
export const VOCABULARY_TYPE = 'vocabulary';
/** The name of the result that contains their phrases. */
export const PHRASES_RESULT = 'phrases';

/** Returns the phrases of a complete vocabulary of the account; undefined when there is none with this id. */
export type PhrasesOf = (accountId: string, id: string) => Promise<readonly string[] | undefined>;

/** Returns the phrases of a vocabulary from the job behind it; undefined when it does not exist or is not complete. */
export async function vocabularyPhrases(
  jobs: Pick<Jobs, 'find' | 'result'>,
  accountId: string,
  id: string,
): Promise<readonly string[] | undefined> {
  const record = await jobs.find(accountId, id);
  if (record?.type !== VOCABULARY_TYPE || record.status !== 'done') return undefined;
  const phrases = await jobs.result(id, PHRASES_RESULT);
  return phrases === undefined ? undefined : JSON.parse(phrases);
}
