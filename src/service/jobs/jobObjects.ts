import type { OpenStore } from '../store/store.ts';

/** What jobs produced. */
export const RESULTS = 'jobs';
/** What was submitted for jobs that are in progress. */
export const SUBMITTED = 'submitted';

export const resultKey = (id: string, name: string) => `${RESULTS}/${id}/results/${name}`;
/** What was submitted beyond the record. */
export const inputKey = (id: string) => `${SUBMITTED}/${id}/input`;
export const mediaKey = (id: string) => `${SUBMITTED}/${id}/media`;

/** Deletes what was submitted for a job; it is not needed any more when the job has ended. */
export function removeSubmitted({ objects }: OpenStore, id: string): Promise<void> {
  return objects.removeAll(`${SUBMITTED}/${id}`);
}

/** Deletes what was submitted for a job and what it produced. */
export async function removeObjects(store: OpenStore, id: string): Promise<void> {
  await removeSubmitted(store, id);
  await store.objects.removeAll(`${RESULTS}/${id}`);
}
