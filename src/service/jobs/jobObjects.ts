import type { OpenStore } from '../store/store.ts';

/** Folder of results. */
export const RESULTS = 'jobs';
/** Folder of the input and media of jobs in progress. */
export const SUBMITTED = 'submitted';

export const resultKey = (id: string, name: string) => `${RESULTS}/${id}/results/${name}`;
/** Key of the submitted data that is not part of the record. */
export const inputKey = (id: string) => `${SUBMITTED}/${id}/input`;
export const mediaKey = (id: string) => `${SUBMITTED}/${id}/media`;

/** Deletes the input and media of a job, which are not needed after its end. */
export function removeSubmitted({ objects }: OpenStore, id: string): Promise<void> {
  return objects.removeAll(`${SUBMITTED}/${id}`);
}

/** Deletes the input, media and results of a job. */
export async function removeObjects(store: OpenStore, id: string): Promise<void> {
  await removeSubmitted(store, id);
  await store.objects.removeAll(`${RESULTS}/${id}`);
}
