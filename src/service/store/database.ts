import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { ConstructorOptions } from 'pg-boss';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

/** How the queue reaches the database. */
export type QueueDatabase = Pick<ConstructorOptions, 'backend' | 'db' | 'connectionString'>;

/** An open database of the present shape. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** This process alone uses it: whatever an earlier one left in progress is orphaned. */
  readonly exclusive: boolean;
  readonly queueDatabase: QueueDatabase;
  close(): Promise<void>;
}

/**
 * Brings a database to the present shape.
 *
 * @throws RxscribeError `store`; the connection is closed then
 */
export async function migrated(
  dialect: Dialect,
  options: Pick<Database, 'exclusive' | 'queueDatabase'>,
): Promise<Database> {
  const db = new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw new RxscribeError('store', `migrate database: ${messageOf(error)}`, { cause: error });
  }
  return { db, ...options, close: () => db.destroy() };
}
