import type { AudioWarning } from '../../audio/format/audioWarning.ts';
import { oneLine } from '../../base/text.ts';
import { MAX_WARNING_LENGTH, MAX_WARNINGS } from '../../protocol/limits.ts';
import type { TaskResult } from '../jobs/task.ts';

/** The warning of a job whose recogniser gave no times of words. */
export const SHARED_TIMES = {
  message: 'The times of words are estimates: the recogniser gave times of longer parts only.',
};

/** The warnings about the audio of one job. */
export interface JobWarnings {
  readonly onWarning: (warning: Pick<AudioWarning, 'message'>) => void;
  /** Returns the first {@link MAX_WARNINGS} as findings of the job; none without any. */
  findings(): TaskResult['findings'];
}

/** Creates an empty list of warnings. Each is listed once, as engines read the same media several times. */
export function createJobWarnings(): JobWarnings {
  const messages = new Set<string>();
  return {
    onWarning({ message }) {
      if (messages.size < MAX_WARNINGS) messages.add(oneLine(message.slice(0, MAX_WARNING_LENGTH)));
    },
    findings: () => (messages.size > 0 ? { warnings: [...messages] } : undefined),
  };
}
