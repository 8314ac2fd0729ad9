import type { Tasks } from '../jobs/task.ts';
import { VOCABULARY_TYPE } from '../vocabularies.ts';
import { alignmentTask } from './alignment.ts';
import { languageIdTask } from './languageId.ts';
import { sentimentTask } from './sentiment.ts';
import type { TaskOptions } from './taskOptions.ts';
import { humanTask, transcriptionTask } from './transcription.ts';
import { vocabularyTask } from './vocabulary.ts';

/** What runs for each type of job. */
export function createTasks(options: TaskOptions): Tasks {
  return {
    async: transcriptionTask(options),
    human_tc: humanTask(options),
    language_id: languageIdTask(options),
    alignment: alignmentTask(options),
    sentiment_analysis: sentimentTask(options),
    [VOCABULARY_TYPE]: vocabularyTask(options),
  };
}
