import { type Kysely, sql } from 'kysely';

/**
 * The tables of the first release, one statement after each blank line.
 *
 * The columns without statistics have user data: samples in the statistics of the planner would outlive the rows.
 */
const STATEMENTS = `
create table accounts (
  id text primary key,
  email text not null unique,
  balance_seconds double precision not null,
  reserved_seconds double precision not null default 0,
  delete_after_seconds integer,
  signing_secret text,
  max_streams integer,
  max_jobs_in_progress integer,
  requests_per_second double precision,
  request_burst integer,
  removed_on timestamptz,
  created_on timestamptz not null
)

create table tokens (
  hash text primary key,
  id text not null,
  account_id text not null references accounts on delete cascade,
  name text,
  created_on timestamptz not null,
  last_used_on timestamptz
)

create unique index tokens_id on tokens (id)

create index tokens_account on tokens (account_id)

create table jobs (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  type text not null,
  status text not null,
  stage text,
  created_on timestamptz not null,
  completed_on timestamptz,
  name text,
  language text,
  metadata text,
  -- Not jsonb, which would sort the names of options.
  options json,
  notification jsonb,
  duration_seconds double precision,
  findings jsonb,
  delete_after_seconds integer,
  retention_seconds integer,
  delete_at timestamptz,
  failure text,
  failure_detail text,
  progress smallint,
  reserved_seconds double precision not null default 0,
  attempts integer not null default 0,
  turn integer,
  is_urgent boolean,
  lease_until timestamptz,
  claimed_by text,
  request_id text,
  results_id text
)

alter table jobs
  alter column name set statistics 0,
  alter column metadata set statistics 0,
  alter column options set statistics 0,
  alter column notification set statistics 0,
  alter column findings set statistics 0

create index jobs_list on jobs (account_id, created_on desc, id desc)

create index jobs_delete_at on jobs (delete_at)

create index jobs_in_progress on jobs (lease_until) where status = 'in_progress'

create index jobs_in_progress_of_account on jobs (account_id, turn) where status = 'in_progress'

create index jobs_waiting on jobs (is_urgent, created_on, id) where stage = 'waiting'

create table removed_jobs (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  type text not null,
  created_on timestamptz not null,
  removed_on timestamptz not null
)

create index removed_jobs_removed_on on removed_jobs (removed_on)

create index removed_jobs_account on removed_jobs (account_id)

create table deliveries (
  id text primary key,
  job_id text not null,
  account_id text not null references accounts on delete cascade,
  url text not null,
  "authorization" text,
  body text not null,
  created_on timestamptz not null
)

alter table deliveries
  alter column url set statistics 0,
  alter column "authorization" set statistics 0,
  alter column body set statistics 0

create index deliveries_job on deliveries (job_id)

create table store (
  is_only boolean primary key default true check (is_only),
  directory_id text not null
)

create table members (
  id text primary key,
  role text not null,
  version text not null,
  host text not null,
  started_on timestamptz not null,
  seen_on timestamptz not null,
  figures jsonb not null
)

create table streams (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  member_id text not null references members on delete cascade
)

create index streams_account on streams (account_id)

create index streams_member on streams (member_id)

create table request_rates (
  account_id text primary key references accounts on delete cascade,
  level double precision not null,
  changed_on timestamptz not null
)

create table meters (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  seconds double precision not null,
  added_seconds double precision not null,
  changed_on timestamptz not null
)

create index meters_account on meters (account_id)

create table turns (
  lane text primary key,
  turn integer not null
)

create table sweeps (
  name text primary key,
  started_on timestamptz not null
)

create table desk_users (
  name text primary key,
  role text not null,
  password text not null,
  created_on timestamptz not null,
  disabled_on timestamptz
)

alter table desk_users alter column password set statistics 0

create table desk_sessions (
  hash text primary key,
  user_name text not null references desk_users on delete cascade,
  begun_on timestamptz not null,
  used_on timestamptz not null
)

create index desk_sessions_user on desk_sessions (user_name)

create table desk_drafts (
  job_id text primary key references jobs on delete cascade,
  revision integer not null,
  saved_on timestamptz not null
)

create table desk_blocks (
  id text primary key,
  job_id text not null references desk_drafts on delete cascade,
  place integer not null,
  turns jsonb not null
)

alter table desk_blocks alter column turns set statistics 0

create index desk_blocks_job on desk_blocks (job_id, place)

-- Without references: the trail outlives jobs and users.
create table desk_events (
  id text primary key,
  happened_on timestamptz not null,
  user_name text not null,
  action text not null,
  job_id text,
  address text
)

create index desk_events_happened_on on desk_events (happened_on desc, id)

create table desk_proposals (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  phrase text not null,
  job_id text not null references jobs on delete cascade,
  proposed_by text not null,
  proposed_on timestamptz not null,
  constraint desk_proposals_phrase unique (account_id, phrase)
)

alter table desk_proposals alter column phrase set statistics 0

create index desk_proposals_job on desk_proposals (job_id)
`;

/** Creates the tables of the first release. */
export async function createFirstSchema(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS.split('\n\n')) await sql.raw(statement).execute(db);
}
