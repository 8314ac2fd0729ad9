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
        {jobs?.map(job => (
          <li key={job.id}>
            {job.status === 'transcribed' ? (
              <Button class="quiet name" onClick={() => open(job)}>
                <About job={job} />
              </Button>
            ) : (
              <div class="name">
                <About job={job} />
              </div>
            )}
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

function About({ job }: { readonly job: Job }) {
  return (
    <>
      <bdi>{nameOf(job)}</bdi>
      <span class="hint">
        {[dateText(job.created_on), lengthOf(job), stateOf(job)].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}

const nameOf = ({ name, metadata, type, source_config: source }: Job) =>
  name || metadata || source?.url || (type === 'stream' ? 'Live stream' : 'Recording');

const lengthOf = ({ duration_seconds: seconds }: Job) => (seconds === undefined ? '' : clockText(seconds));

function stateOf({ status, progress, failure_detail: failure, transcriber }: Job): string {
  if (status === 'failed') return failure ?? 'failed';
  if (status !== 'in_progress') return '';
  if (transcriber === 'human') return 'waiting for a person';
  return progress === undefined ? 'in progress' : `${progress} %`;
}
