import type { Recognizer } from '../../engines/recognizer.ts';
import type { Tasks } from '../jobs/task.ts';
import { transcriptionTask } from './transcription.ts';

/** What tasks stand on. */
export interface TaskOptions {
  readonly recognizer: Recognizer;
}

/** What runs for each type of job. */
export function createTasks({ recognizer }: TaskOptions): Tasks {
  return { async: transcriptionTask(recognizer) };
}
