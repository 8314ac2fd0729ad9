import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { addEventAddresses, createDeskTables, keepOutOfStatistics } from './deskMigration.ts';
import { FIRST_TOKEN_ID, type Tables } from './tables.ts';

/**
 * Schema changes of the database, by name and in order. A released one never changes.
 *
 * Releases work side by side during a rolling upgrade: a change named `expand` only adds what earlier releases do without,
 * and one that removes something is a release later, when no release in use reads it any more.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts_and_jobs': { up: createAccountsAndJobs },
  '0002_queued_jobs': { up: addQueuedJobs },
  '0003_progress': { up: addProgress },
  '0004_removed_jobs': { up: createRemovedJobs },
  '0005_expand_machines': { up: createMachineTables },
  '0006_expand_desk': { up: createDeskTables },
  '0007_expand_desk_addresses': { up: addEventAddresses },
  '0008_expand_option_order': { up: keepOptionOrder },
  '0009_expand_removed_accounts': { up: addRemovedAccounts },
};

const EXPANDING = /^\d{4}_expand_/;

/**
 * Migrates a database to the schema of this release, unless a later one has expanded it already.
 *
 * @throws an error of the database, or one that names the change of a later release with which this one cannot work
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const executed = await executedMigrations(db);
  const later = executed.filter(name => !(name in MIGRATIONS));
  const contracting = later.find(name => !EXPANDING.test(name));
  if (contracting !== undefined) {
    throw new Error(`a later release has changed it (${contracting}); use that release`);
  }
  const { error } = await new Migrator({ db, provider: migrationsBeside(later) }).migrateToLatest();
  if (error === undefined) return;
  // A later release may have migrated the database in between.
  if ((await executedMigrations(db)).length > executed.length) return migrate(db);
  throw error;
}

/** Returns the names of the changes that a database has had, in order. */
export async function executedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const table = await sql<{ oid: unknown }>`select to_regclass('kysely_migration') as oid`.execute(db);
  if (table.rows[0]?.oid === null) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Returns the migrations beside the given ones of later releases, which count as known. */
function migrationsBeside(later: readonly string[]): MigrationProvider {
  const unneeded: Migration = { up: async () => {} };
  return {
    getMigrations: async () => ({
      ...MIGRATIONS,
      ...Object.fromEntries(later.map(name => [name, unneeded])),
    }),
  };
}

async function createAccountsAndJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('email', 'text', column => column.notNull().unique())
    .addColumn('balance_seconds', 'double precision', column => column.notNull())
    .addColumn('created_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema
    .createTable('tokens')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('created_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('created_on', 'timestamptz', column => column.notNull())
    .addColumn('completed_on', 'timestamptz')
    .addColumn('language', 'text')
    .addColumn('metadata', 'text')
    .addColumn('duration_seconds', 'double precision')
    .addColumn('delete_after_seconds', 'integer')
    .addColumn('delete_at', 'timestamptz')
    .addColumn('failure', 'text')
    .addColumn('failure_detail', 'text')
    .addColumn('lease_until', 'timestamptz')
    .execute();
  await db.schema.createIndex('jobs_delete_at').on('jobs').column('delete_at').execute();
  await db.schema
    .createIndex('jobs_in_progress')
    .on('jobs')
    .column('lease_until')
    .where(sql.ref('status'), '=', sql.lit('in_progress'))
    .execute();
}

async function addQueuedJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('reserved_seconds', 'double precision', column => column.notNull().defaultTo(0))
    .addColumn('delete_after_seconds', 'integer')
    .addColumn('signing_secret', 'text')
    .addColumn('max_streams', 'integer')
    .addColumn('max_jobs_in_progress', 'integer')
    .addColumn('requests_per_second', 'double precision')
    .addColumn('request_burst', 'integer')
    .execute();
  await nameTokens(db);
  await db.schema
    .alterTable('jobs')
    .addColumn('stage', 'text')
    .addColumn('name', 'text')
    .addColumn('options', 'jsonb')
    .addColumn('notification', 'jsonb')
    .addColumn('findings', 'jsonb')
    .addColumn('reserved_seconds', 'double precision', column => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('retention_seconds', 'integer')
    .addColumn('turn', 'integer')
    .addColumn('is_urgent', 'boolean')
    .execute();
  await sql`update jobs set retention_seconds = coalesce(delete_after_seconds, 2592000)`.execute(db);
  await db.schema
    .createIndex('jobs_list')
    .on('jobs')
    .columns(['account_id', 'created_on desc', 'id desc'])
    .execute();
  await db.schema
    .createIndex('jobs_in_progress_of_account')
    .on('jobs')
    .columns(['account_id', 'turn'])
    .where(sql.ref('status'), '=', sql.lit('in_progress'))
    .execute();
  await db.schema
    .createIndex('jobs_waiting')
    .on('jobs')
    .columns(['is_urgent', 'created_on', 'id'])
    .where(sql.ref('stage'), '=', sql.lit('waiting'))
    .execute();
  await createDeliveries(db);
  await db.schema
    .createTable('store')
    .addColumn('is_only', 'boolean', column => column.primaryKey().defaultTo(true).check(sql`is_only`))
    .addColumn('directory_id', 'text', column => column.notNull())
    .execute();
  await keepOutOfStatistics(db, 'jobs', ['name', 'metadata', 'options', 'notification', 'findings']);
  await keepOutOfStatistics(db, 'deliveries', ['url', 'authorization', 'body']);
}

async function addProgress(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('progress', 'smallint').execute();
}

/** Adds the time at which an account was closed. */
async function addRemovedAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('removed_on', 'timestamptz').execute();
}

/** Creates the table of the positions of deleted jobs in lists. */
async function createRemovedJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('removed_jobs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('created_on', 'timestamptz', column => column.notNull())
    .addColumn('removed_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema.createIndex('removed_jobs_removed_on').on('removed_jobs').column('removed_on').execute();
  await db.schema.createIndex('removed_jobs_account').on('removed_jobs').column('account_id').execute();
}

/** Creates the tables by which services on several machines know of one another. */
async function createMachineTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('members')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('version', 'text', column => column.notNull())
    .addColumn('host', 'text', column => column.notNull())
    .addColumn('started_on', 'timestamptz', column => column.notNull())
    .addColumn('seen_on', 'timestamptz', column => column.notNull())
    .addColumn('figures', 'jsonb', column => column.notNull())
    .execute();
  await db.schema
    .createTable('streams')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('member_id', 'text', column => column.notNull().references('members.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('streams_account').on('streams').column('account_id').execute();
  await db.schema.createIndex('streams_member').on('streams').column('member_id').execute();
  await db.schema
    .createTable('request_rates')
    .addColumn('account_id', 'text', column =>
      column.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('level', 'double precision', column => column.notNull())
    .addColumn('changed_on', 'timestamptz', column => column.notNull())
    .execute();
  await createMeters(db);
  await db.schema
    .createTable('turns')
    .addColumn('lane', 'text', column => column.primaryKey())
    .addColumn('turn', 'integer', column => column.notNull())
    .execute();
  await db.schema
    .createTable('sweeps')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('started_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema
    .alterTable('jobs')
    .addColumn('request_id', 'text')
    .addColumn('results_id', 'text')
    .execute();
}

/** Stores options as text: jsonb would sort their names. Earlier releases read and write both types alike. */
async function keepOptionOrder(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs alter column options type json using options::json`.execute(db);
}

/** Creates the table of booked use. */
async function createMeters(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('meters')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('seconds', 'double precision', column => column.notNull())
    .addColumn('added_seconds', 'double precision', column => column.notNull())
    .addColumn('changed_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema.createIndex('meters_account').on('meters').column('account_id').execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('job_id', 'text', column => column.notNull())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('authorization', 'text')
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('created_on', 'timestamptz', column => column.notNull())
    .execute();
  await db.schema.createIndex('deliveries_job').on('deliveries').column('job_id').execute();
}

/** Adds ids and names of tokens. Before, only the first account had a token. */
async function nameTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('tokens')
    .addColumn('id', 'text')
    .addColumn('name', 'text')
    .addColumn('last_used_on', 'timestamptz')
    .execute();
  // Services that started at the same moment may have created several tokens.
  await sql`update tokens set id = substr(md5(random()::text), 1, 14)`.execute(db);
  const newest = sql`select hash from tokens order by created_on desc limit 1`;
  await sql`update tokens set id = ${sql.lit(FIRST_TOKEN_ID)} where hash = (${newest})`.execute(db);
  await db.schema
    .alterTable('tokens')
    .alterColumn('id', column => column.setNotNull())
    .execute();
  await db.schema.createIndex('tokens_id').unique().on('tokens').column('id').execute();
  await db.schema.createIndex('tokens_account').on('tokens').column('account_id').execute();
}
