import { type Kysely, sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';

/** Every change of the database's shape, by name and in order. One that was released never changes. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts_and_jobs': { up: createAccountsAndJobs },
};

export const migrations: MigrationProvider = {
  getMigrations: async () => MIGRATIONS,
};

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
