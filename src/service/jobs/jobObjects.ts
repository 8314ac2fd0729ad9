import type { OpenStore } from '../store/store.ts';

/** Folder of results. */
export const RESULTS = 'jobs';
/** Folder of the input and media of jobs in progress. */
export const SUBMITTED = 'submitted';

/** Folder of the results of a job that has no results id. */
const DEFAULT_RESULTS = 'results';

/** Returns the folder of the results of a job, by the id in its record. */
export const resultsPrefix = (id: string, resultsId?: string | null) =>
  `${RESULTS}/${id}/${resultsId ?? DEFAULT_RESULTS}`;
/** Returns the key of a file that is needed until the job ends. */
export const submittedKey = (id: string, name: string) => `${SUBMITTED}/${id}/${name}`;
/** Key of the submitted data that is not part of the record. */
export const inputKey = (id: string) => submittedKey(id, 'input');
export const mediaKey = (id: string) => submittedKey(id, 'media');

/** Deletes the input and media of a job, which are not needed after its end. */
export function removeSubmitted({ objects }: OpenStore, id: string): Promise<void> {
  return objects.removeAll(`${SUBMITTED}/${id}`);
}

/** Jobs whose objects are deleted at a time: each takes several requests to an object server. */
const DELETIONS_AT_ONCE = 40;

/**
 * Deletes the results, then the input and media of jobs: what is left of an interrupted deletion is found by the input, of which
 * there are few.
 */
export async function removeObjects(store: OpenStore, ...ids: readonly string[]): Promise<void> {
  const removeOne = async (id: string) => {
    await store.objects.removeAll(`${RESULTS}/${id}`);
    await removeSubmitted(store, id);
  };
  for (let at = 0; at < ids.length; at += DELETIONS_AT_ONCE) {
    await Promise.all(ids.slice(at, at + DELETIONS_AT_ONCE).map(removeOne));
  }
}
