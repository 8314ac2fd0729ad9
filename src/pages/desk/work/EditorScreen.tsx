import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import type { DeskApi } from '../api.ts';
import { useDesk } from '../desk.ts';
import { CallError } from '../editor/calls.ts';
import { useKeys } from '../keys/useKeys.ts';
import type { OpenJob } from './startWork.ts';
import { WorkScreen, type WorkScreenProps } from './WorkScreen.tsx';

export interface EditorScreenProps extends Omit<WorkScreenProps, 'job'> {
  readonly jobId: string;
}

/** The screen of one job: opens it, then shows it. */
export function EditorScreen({ jobId, onLeave }: EditorScreenProps) {
  const { job, problem } = useOpenJob(jobId);
  return job ? <WorkScreen job={job} onLeave={onLeave} /> : <Unopened problem={problem} onLeave={onLeave} />;
}

interface UnopenedProps extends Omit<WorkScreenProps, 'job'> {
  readonly problem: string | undefined;
}

function Unopened({ problem, onLeave }: UnopenedProps) {
  const { handlers } = useDesk();
  useKeys({ handlers });
  return (
    <main class="queue">
      {problem === undefined ? (
        <p class="hint">Opening the job …</p>
      ) : (
        <section class="empty">
          <p role="alert">{problem}</p>
          <Button class="primary" onClick={() => onLeave('')}>
            To the queue
          </Button>
        </section>
      )}
    </main>
  );
}

/** A job that is being opened: open, or why it cannot be. */
interface Opening {
  readonly job?: OpenJob;
  readonly problem?: string;
}

/** Claims a job and reads it. After a log-in, it is tried again. */
function useOpenJob(jobId: string): Opening {
  const { api, logIns } = useDesk();
  const [opening, setOpening] = useState<Opening>({});
  useEffect(() => {
    if (opening.job) return;
    let isClosed = false;
    openJob(api, jobId).then(
      job => !isClosed && setOpening({ job }),
      (error: Error) => !isClosed && setOpening({ problem: problemOf(error) }),
    );
    return () => {
      isClosed = true;
    };
  }, [api, jobId, logIns]);
  return opening;
}

async function openJob(api: DeskApi, jobId: string): Promise<OpenJob> {
  await api.claim(jobId);
  const [open, draft] = await Promise.all([api.readJob(jobId), api.readDraft(jobId)]);
  return { open, draft };
}

function problemOf(error: Error): string {
  if (!(error instanceof CallError)) return error.message;
  if (error.conflict === 'claimed') return 'Another person has claimed this job.';
  if (error.conflict === 'ended' || error.status === 404) return 'This job has been finished or deleted.';
  return error.message;
}
