import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import { emptyLiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import type { TranscriptEvent } from '../../transcript/model/events.ts';
import { forgottenJobs, type Jobs } from '../jobs/jobs.ts';
import type { Admission } from './admission.ts';
import type { Ending } from './ending.ts';

/** What is kept of a session: a job of type `stream`. */
export interface SessionJob {
  /** Takes what the client is told; only finals are kept. */
  add(event: TranscriptEvent): void;
  end(ending: Ending, durationSeconds: number): void;
}

/** Begins the job of a session; nothing is kept when the client wants it deleted at once. */
export function startSessionJob(jobs: Jobs, id: string, { accountId, query }: Admission): SessionJob {
  const { metadata, language = 'en', deleteAfterSeconds } = query;
  const isKept = deleteAfterSeconds !== 0;
  const keeper = isKept ? jobs : forgottenJobs;
  const job = keeper.start({ id, accountId, type: 'stream', language, metadata, deleteAfterSeconds });
  let live = emptyLiveTranscript;
  return {
    add(event) {
      if (isKept && event.type === 'final') live = mergeEvent(live, event);
    },
    end({ failure }, seconds) {
      const durationSeconds = wireSeconds(seconds);
      if (failure) job.end({ status: 'failed', durationSeconds, ...failure });
      else {
        const transcript = JSON.stringify(encodeTranscript(live.transcript));
        job.end({ status: 'done', durationSeconds }, { transcript });
      }
    },
  };
}
