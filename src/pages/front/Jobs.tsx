import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Job } from '../../protocol/jobs.ts';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { Section } from '../Section.tsx';
import { clockText, dateText } from '../times.ts';
import { useWindowEvents } from '../useWindowEvents.ts';
import type { Api } from './api.ts';
import type { Result } from './Result.tsx';

const REFRESH_MS = 5000;

const REPLACED = 'the service stopped: replaced by the recording above';

interface JobsProps {
  readonly api: Api;
  /** A value that changes with each new job. */
  readonly change: unknown;
  /** Audio and texts that this page has, by the ids of its jobs. */
  readonly kept: ReadonlyMap<string, Partial<Result>>;
  readonly onResult: (result: Result) => void;
  readonly onRemoved: (id: string) => void;
}

/** The latest jobs of the account. */
export function Jobs({ api, change, kept, onResult, onRemoved }: JobsProps) {
  const [jobs, setJobs] = useState<readonly Job[]>();
  const [problem, setProblem] = useState('');
  const attempt = useCallback(async (work: () => Promise<void>) => {
    try {
      await work();
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, []);
  const refresh = useCallback(() => attempt(async () => setJobs(await api.jobs())), [api]);
  const refreshSeen = () => document.visibilityState === 'visible' && void refresh();
  useEffect(() => {
    void refresh();
    const timer = setInterval(refreshSeen, REFRESH_MS);
    return () => clearInterval(timer);
  }, [change]);
  useWindowEvents({ focus: refreshSeen });
  const open = (job: Job) =>
    attempt(async () => {
      const { transcript = await api.transcript(job.id), ...rest } = kept.get(job.id) ?? {};
      onResult({ name: nameOf(job), ...rest, id: job.id, transcript });
    });
  const remove = (job: Job) =>
    attempt(async () => {
      if (!confirm(`Delete “${nameOf(job)}” with its transcript?`)) return;
      await api.remove(job.id);
      onRemoved(job.id);
      await refresh();
    });
  return (
    <Section title="Recent jobs" class="card jobs">
      <Problem text={problem} />
      {jobs?.length === 0 && <p class="hint">There are no jobs yet.</p>}
      <ul>
        {jobs?.map((job, index) => (
          <li key={job.id}>
            <About job={job} later={jobs.slice(0, index)} onOpen={() => open(job)} />
            {job.status !== 'in_progress' && (
              <Button class="quiet" aria-label={`Delete ${nameOf(job)}`} onClick={() => remove(job)}>
                ✕
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface AboutProps {
  readonly job: Job;
  readonly later: readonly Job[];
  readonly onOpen: () => void;
}

function About({ job, later, onOpen }: AboutProps) {
  const facts = [dateText(job.created_on), lengthOf(job), stateOf(job, later)].filter(Boolean).join(' · ');
  const about = (
    <>
      <bdi>{nameOf(job)}</bdi>
      <span class="hint">{facts}</span>
    </>
  );
  if (job.status !== 'transcribed') return <div class="name">{about}</div>;
  return (
    <Button class="quiet name" onClick={onOpen}>
      {about}
    </Button>
  );
}

const nameOf = ({ name, metadata, type, source_config: source }: Job) =>
  name || metadata || source?.url || (type === 'stream' ? 'Live stream' : 'Recording');

const lengthOf = ({ duration_seconds: seconds }: Job) => (seconds === undefined ? '' : clockText(seconds));

function stateOf(job: Job, later: readonly Job[]): string {
  const { type, status, progress, metadata: name, failure_detail: failure, transcriber } = job;
  // A recording whose service stops goes on as another job of the same name.
  const isReplaced = type === 'stream' && name && later.some(({ metadata }) => metadata === name);
  if (status === 'failed') return isReplaced ? REPLACED : (failure ?? 'failed');
  if (status !== 'in_progress') return '';
  if (transcriber === 'human') return 'waiting for a person';
  return progress === undefined ? 'in progress' : `${progress} %`;
}
