import { useCallback, useEffect, useState } from 'preact/hooks';
import { counted } from '../../../base/text.ts';
import type { DeskJobJson } from '../../../protocol/desk.ts';
import { Button } from '../../Button.tsx';
import { Problem, Select } from '../../fields.tsx';
import { languageName } from '../../texts.ts';
import { clockText, dateText, dueText, lengthText } from '../../times.ts';
import { useWindowEvents } from '../../useWindowEvents.ts';
import type { DeskApi } from '../api.ts';
import { useDesk } from '../desk.ts';
import { Listing } from './Listing.tsx';
import { inQueueOrder, isShown, type JobStanding, type NO_FILTER, standingOf } from './queueRows.ts';

const REFRESH_MS = 15_000;

/** Titles of columns, with a class for a column that is not always shown. */
const COLUMNS = [['Job'], ['Language'], ['Length'], ['Due'], ['Waiting', 'since'], ['State']] as const;

interface QueueProps {
  readonly filter: typeof NO_FILTER;
  readonly onFilter: (filter: typeof NO_FILTER) => void;
  readonly onOpen: (jobId: string) => void;
}

/** The jobs that wait for a transcriber, and those that this person has finished lately. */
export function Queue({ filter, onFilter, onOpen }: QueueProps) {
  const { api, session } = useDesk();
  const { jobs, problem, report, refresh } = useJobs(api);
  const [busyId, setBusyId] = useState('');
  const act = async (job: DeskJobJson, call: (id: string) => Promise<unknown>, then?: () => void) => {
    setBusyId(job.id);
    try {
      await call(job.id);
      report('');
      if (then) return then();
    } catch (error) {
      report((error as Error).message);
    } finally {
      setBusyId('');
    }
    await refresh();
  };
  const now = Date.now();
  const shown = jobs?.filter(job => isShown(job, filter, standingOf(job, session.name, now)));
  const late = jobs?.filter(job => isOverdue(job, now)).length;
  return (
    <main class="queue">
      <h1>Queue</h1>
      <Problem text={problem} />
      {jobs?.length === 0 && (
        <section class="empty">
          <p>No job waits for a transcriber.</p>
          <p class="hint">New jobs appear here by themselves.</p>
        </section>
      )}
      {jobs && jobs.length > 0 && (
        <div class="row">
          <label>
            Find{' '}
            <input
              type="search"
              placeholder="name, customer or language"
              value={filter.text}
              onInput={event => onFilter({ ...filter, text: event.currentTarget.value })}
            />
          </label>
          <Select
            label="Show "
            value={filter.standing}
            values={{ all: 'All', mine: 'Mine', free: 'Free', taken: 'Others’' }}
            onChange={standing => onFilter({ ...filter, standing })}
          />
          <output>{`${counted(jobs.length, 'job')} waiting, ${late} overdue, ${shown?.length} shown`}</output>
        </div>
      )}
      {shown && shown.length > 0 && (
        <table aria-label="Jobs">
          <thead>
            <tr>
              {COLUMNS.map(([title, name]) => (
                <th key={title} scope="col" class={name}>
                  {title}
                </th>
              ))}
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {inQueueOrder(shown, session.name, now).map(job => (
              <JobRow
                key={job.id}
                job={job}
                now={now}
                standing={standingOf(job, session.name, now)}
                isAdmin={session.role === 'admin'}
                isBusy={busyId !== ''}
                onClaim={() => act(job, api.claim, () => onOpen(job.id))}
                onOpen={() => onOpen(job.id)}
                onRelease={() => act(job, api.release)}
              />
            ))}
          </tbody>
        </table>
      )}
      {!jobs && !problem && <p class="hint">Loading …</p>}
      <Listing
        title="My last jobs"
        columns={['Job', 'Customer', 'Length', 'Finished']}
        read={api.readFinished}
        row={job => [
          <bdi>{job.name || job.id}</bdi>,
          <bdi>{job.customer}</bdi>,
          job.seconds === undefined ? '' : clockText(job.seconds),
          dateText(job.finished_on),
        ]}
      />
    </main>
  );
}

function useJobs(api: DeskApi) {
  const [jobs, setJobs] = useState<readonly DeskJobJson[]>();
  const [problem, setProblem] = useState('');
  const refresh = useCallback(async () => {
    try {
      setJobs(await api.readJobs());
      setProblem('');
    } catch (error) {
      setProblem(`The queue may be out of date. ${(error as Error).message}`);
    }
  }, [api]);
  const refreshSeen = () => document.visibilityState === 'visible' && void refresh();
  useEffect(() => {
    void refresh();
    const timer = setInterval(refreshSeen, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  // The event of the document is captured at the window too.
  useWindowEvents({ focus: refreshSeen, visibilitychange: refreshSeen });
  return { jobs, problem, report: setProblem, refresh };
}

interface JobRowProps {
  readonly job: DeskJobJson;
  readonly now: number;
  readonly standing: JobStanding;
  readonly isAdmin: boolean;
  readonly isBusy: boolean;
  readonly onClaim: () => void;
  readonly onOpen: () => void;
  readonly onRelease: () => void;
}

function JobRow({ job, now, standing, isAdmin, isBusy, onClaim, onOpen, onRelease }: JobRowProps) {
  const name = job.name || job.id;
  const speakers = job.speakers_count && counted(job.speakers_count, 'speaker');
  const about = [job.customer, speakers, job.metadata].filter(part => part).join(' · ');
  const choices = {
    free: [{ label: 'Claim', act: onClaim, isMain: true }],
    mine: [
      { label: 'Continue', act: onOpen, isMain: true },
      { label: 'Release', act: onRelease, isMain: false },
    ],
    taken: isAdmin ? [{ label: 'Take back', act: onRelease, isMain: false }] : [],
  }[standing];
  return (
    <tr data-standing={standing}>
      <th scope="row">
        {job.rush && <span class="rush">Rush</span>}
        <div class="name" title={name}>
          <b dir="auto">{name}</b>
        </div>
        <div class="name hint" title={about} dir="auto">
          {about}
        </div>
      </th>
      <td>{languageName(job.language)}</td>
      <td class="number" title={`To transcribe, of ${clockText(job.duration_seconds)} in all`}>
        {clockText(job.wanted_seconds)}
      </td>
      <td
        class={isOverdue(job, now) ? 'late' : ''}
        title={`${dateText(job.due_from)} to ${dateText(job.due_until)}`}
      >
        {dueText(Date.parse(job.due_from), Date.parse(job.due_until), now)}
      </td>
      <td class="since" title={dateText(job.created_on)}>
        {lengthText(now - Date.parse(job.created_on))}
      </td>
      <td class="whose" title={stateText(job, standing)}>
        {stateText(job, standing)}
      </td>
      <td class="buttons">
        {choices.map(({ label, act, isMain }) => (
          <Button
            key={label}
            class={isMain ? 'primary' : ''}
            disabled={isBusy}
            onClick={act}
            aria-label={`${label} ${name}`}
          >
            {label}
          </Button>
        ))}
      </td>
    </tr>
  );
}

const isOverdue = (job: DeskJobJson, now: number) => Date.parse(job.due_until) <= now;

function stateText(job: DeskJobJson, standing: JobStanding): string {
  if (standing === 'mine') return job.is_begun ? 'Yours, begun' : 'Yours';
  if (standing === 'taken') return `With ${job.claimed_by}`;
  if (job.lapsed_claim_of) return `Claim of ${job.lapsed_claim_of} lapsed`;
  return job.is_begun ? 'Begun' : 'New';
}
