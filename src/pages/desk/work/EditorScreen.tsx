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
  const opened = useOpenJob(jobId);
  return typeof opened === 'object' ? (
    <WorkScreen job={opened} onLeave={onLeave} />
  ) : (
    <Unopened problem={opened} onLeave={onLeave} />
  );
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
        <h1>Opening the job …</h1>
      ) : (
        <section class="empty">
          <h1>The job cannot be opened</h1>
          <p role="alert">{problem}</p>
          <Button class="primary" onClick={() => onLeave('')}>
            To the queue
          </Button>
        </section>
      )}
    </main>
  );
}

/**
 * Claims a job and reads it. Returns the job, or the reason why it cannot be opened as a sentence; undefined until then. A
 * log-in repeats the attempt.
 */
function useOpenJob(jobId: string): OpenJob | string | undefined {
  const { api, logIns } = useDesk();
  const [opened, setOpened] = useState<OpenJob | string>();
  useEffect(() => {
    if (typeof opened === 'object') return;
    let isClosed = false;
    void openJob(api, jobId)
      .catch(problemOf)
      .then(next => !isClosed && setOpened(next));
    return () => {
      isClosed = true;
    };
  }, [api, jobId, logIns]);
  return opened;
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
