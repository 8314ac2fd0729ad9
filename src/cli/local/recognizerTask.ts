import type { ListrTask } from 'listr2';
import { ensureEmbeddedModel } from '../../engines/models/embeddedModel.ts';
import { showIn } from '../doctor/showIn.ts';
import { embeddedModelPlace, fetchingText } from './fetchEmbedded.ts';

/** Returns the task that fetches the recogniser, or what of it is damaged. */
export async function recognizerTask(): Promise<ListrTask> {
  const place = await embeddedModelPlace();
  return {
    title: fetchingText(place),
    task: async (_, task) => {
      const show = showIn(task);
      await ensureEmbeddedModel({
        ...place,
        verify: true,
        onWait: () => show('another process is fetching it'),
        onProgress: fraction => show('', fraction),
        onRetry: reason => show(`again after ${reason}`),
      });
    },
  };
}
