import { type Kysely, sql } from 'kysely';

/** Creates the tables of the desk, where people transcribe. */
export async function createDeskTables(db: Kysely<unknown>): Promise<void> {
  await createUsers(db);
  await createDrafts(db);
  // Without references: the trail outlives jobs and users.
  await db.schema
    .createTable('desk_events')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('happened_on', 'timestamptz', column => column.notNull())
    .addColumn('user_name', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('job_id', 'text')
    .execute();
  await db.schema
    .createIndex('desk_events_happened_on')
    .on('desk_events')
    .columns(['happened_on desc', 'id'])
    .execute();
  await db.schema
    .createTable('desk_proposals')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('phrase', 'text', column => column.notNull())
    .addColumn('job_id', 'text', column => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('proposed_by', 'text', column => column.notNull())
    .addColumn('proposed_on', 'timestamptz', column => column.notNull())
    .addUniqueConstraint('desk_proposals_phrase', ['account_id', 'phrase'])
    .execute();
  await db.schema.createIndex('desk_proposals_job').on('desk_proposals').column('job_id').execute();
  await keepOutOfStatistics(db, 'desk_proposals', ['phrase']);
}

/** Adds the addresses of log-ins that failed. */
export async function addEventAddresses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('desk_events').addColumn('address', 'text').execute();
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('desk_users')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('password', 'text', column => column.notNull())
    .addColumn('created_on', 'timestamptz', column => column.notNull())
    .addColumn('disabled_on', 'timestamptz')
    .execute();
  await keepOutOfStatistics(db, 'desk_users', ['password']);
  await db.schema
    .createTable('desk_sessions')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('user_name', 'text', column =>
      column.notNull().references('desk_users.name').onDelete('cascade'),
    )
    .addColumn('begun_on', 'timestamptz', column => column.notNull())
    .addColumn('used_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema.createIndex('desk_sessions_user').on('desk_sessions').column('user_name').execute();
}

async function createDrafts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('desk_drafts')
    .addColumn('job_id', 'text', column => column.primaryKey().references('jobs.id').onDelete('cascade'))
    .addColumn('revision', 'integer', column => column.notNull())
    .addColumn('saved_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema
    .createTable('desk_blocks')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('job_id', 'text', column =>
      column.notNull().references('desk_drafts.job_id').onDelete('cascade'),
    )
    .addColumn('place', 'integer', column => column.notNull())
    .addColumn('turns', 'jsonb', column => column.notNull())
    .execute();
  await db.schema.createIndex('desk_blocks_job').on('desk_blocks').columns(['job_id', 'place']).execute();
  await keepOutOfStatistics(db, 'desk_blocks', ['turns']);
}

/** Excludes columns from the statistics of the planner: its samples of user data would outlive the rows. */
export async function keepOutOfStatistics(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const changes = columns.map(column => sql`alter column ${sql.ref(column)} set statistics 0`);
  await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
}
