import type { Jobs } from './jobs/jobs.ts';

/** The type of the jobs that custom vocabularies are. */
export const VOCABULARY_TYPE = 'vocabulary';
/** The name of the result that has their phrases. */
export const PHRASES_RESULT = 'phrases';

/** The phrases of a vocabulary that an account may use; undefined when it has none of that id that is complete. */
export type PhrasesOf = (accountId: string, id: string) => Promise<readonly string[] | undefined>;

/** Looks vocabularies up among the jobs that make them. */
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
