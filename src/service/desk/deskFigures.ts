import { sql } from 'kysely';
import type { DeskFiguresJson, DeskFinishedJson } from '../../protocol/desk.ts';
import { HUMAN_LIMITS } from '../../protocol/limits.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { databaseFigures } from '../telemetry/databaseFigures.ts';
import type { DeskContext } from './deskContext.ts';
import type { DeskUser } from './deskUsers.ts';

/** Maximum number of counted jobs: counting more would take long and say no more. */
const MAX_COUNTED = 100_000;
/** Maximum number of finished jobs of a person that are returned; they are at most 30 days old. */
const MAX_FINISHED = 20;

type FiguresContext = Pick<DeskContext, 'opened' | 'clock'>;

/**
 * Reads the figures of the desk. A claim that is followed by another claim has no known end, and does not count as time of
 * work.
 */
export async function readDeskFigures({ opened, clock }: FiguresContext): Promise<DeskFiguresJson> {
  // Claims and events are made by the same clock.
  const now = new Date(clock.wallTime());
  const today = new Date(new Date(now).setHours(0, 0, 0, 0));
  const { least, most } = HUMAN_LIMITS.turnaroundHours;
  const { rows } = await sql<{ figures: DeskFiguresJson }>`
    with human_jobs as (
      select count(*) as waiting, count(*) filter (where lease_until > ${now}) as claimed,
        count(*) filter (where created_on <= ${now}::timestamptz - interval '1 hour'
          * case when is_urgent then ${least}::int else ${most}::int end) as overdue,
        coalesce(extract(epoch from ${now}::timestamptz - min(created_on)), 0) as oldest_seconds
      from (select created_on, lease_until, is_urgent from jobs where stage = 'waiting' limit ${MAX_COUNTED}) as jobs
    ), events as (
      select *, lead(happened_on) over job as next_on, lead(action) over job as next_action from desk_events
      where happened_on >= ${now}::timestamptz - interval '7 days' and action in ('claim', 'lapse', 'release', 'take back', 'finish')
      window job as (partition by job_id order by happened_on)
    ), people as (
      select user_name as name, coalesce(sum(seconds), 0) as week_seconds,
        coalesce(sum(seconds) filter (where happened_on >= ${today}), 0) as today_seconds,
        coalesce(sum(extract(epoch from next_on - happened_on))
          filter (where action = 'claim' and next_action <> 'claim'), 0) as work_seconds
      from events group by user_name having bool_or(action in ('claim', 'finish')) order by user_name
    ), customers as (
      select email as customer, sum(words) as words, sum(changed_words) as changed_words
      from desk_events left join accounts on accounts.id = account_id
      where happened_on >= ${now}::timestamptz - interval '7 days' and words is not null group by email order by email
    )
    select jsonb_strip_nulls(to_jsonb(human_jobs) || jsonb_build_object(
      'people', (select coalesce(jsonb_agg(people), '[]') from people),
      'customers', (select coalesce(jsonb_agg(customers), '[]') from customers))) as figures
    from human_jobs`.execute((await opened).db);
  return rows[0]!.figures;
}

/** Reads the jobs that a user has finished lately, newest first. */
export async function readFinished({ opened, clock }: FiguresContext, { name }: DeskUser) {
  const now = new Date(clock.wallTime());
  const { rows } = await sql<{ job: DeskFinishedJson }>`
    select json_strip_nulls(row_to_json(found)) as job from (
      select job_id as id, name, email as customer, seconds, happened_on as finished_on from desk_events
      left join jobs on jobs.id = job_id and (delete_at is null or delete_at > ${now})
      left join accounts on accounts.id = desk_events.account_id
      where happened_on >= ${now}::timestamptz - interval '30 days' and user_name = ${name} and action = 'finish'
      order by happened_on desc, desk_events.id limit ${MAX_FINISHED}
    ) as found`.execute((await opened).db);
  return rows.map(({ job }) => ({ ...job, finished_on: new Date(job.finished_on).toISOString() }));
}

/** Reports the figures of the desk while metrics are collected. Returns a function that ends this. */
export function observeDesk(context: FiguresContext & { readonly instruments: Instruments }): () => void {
  const read = databaseFigures(context.clock, () => readDeskFigures(context));
  return context.instruments.observe(
    ['humanJobsWaiting', 'humanJobsWaitingAge', 'humanJobsOverdue', 'deskAudio', 'deskChangedWords'],
    async observe => {
      const { waiting, claimed, overdue, oldest_seconds, people, customers } = await read();
      observe('humanJobsWaiting', claimed, { state: 'claimed' });
      observe('humanJobsWaiting', waiting - claimed, { state: 'unclaimed' });
      observe('humanJobsWaitingAge', oldest_seconds);
      observe('humanJobsOverdue', overdue);
      observe('deskAudio', sumOf(people, 'today_seconds'), { period: 'today' });
      observe('deskAudio', sumOf(people, 'week_seconds'), { period: 'week' });
      observe('deskChangedWords', sumOf(customers, 'changed_words') / (sumOf(customers, 'words') || 1));
    },
  );
}

const sumOf = <Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name) =>
  rows.reduce((sum, row) => sum + row[name], 0);
