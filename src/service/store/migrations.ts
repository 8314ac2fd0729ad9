import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { creation } from './creation.ts';
import firstSchema from './firstSchema.json' with { type: 'json' };
import secondSchema from './secondSchema.json' with { type: 'json' };
import type { Tables } from './tables.ts';
import thirdSchema from './thirdSchema.json' with { type: 'json' };

/**
 * Schema changes of the database, by name and in order. A released one never changes.
 *
 * Releases work side by side during a rolling upgrade: a change named `expand` only adds parts that earlier releases do not
 * need, and a removal is a release later, when no release in use reads the removed part.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_first_schema': creation(firstSchema),
  '0002_expand_stream_tokens': creation(secondSchema),
  '0003_expand_desk': creation(thirdSchema),
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
