import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

/** An open database of the present shape. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** This process alone uses it: whatever an earlier one left in progress is orphaned. */
  readonly exclusive: boolean;
  close(): Promise<void>;
}

/**
 * Brings a database to the present shape.
 *
 * @throws RxscribeError `store`; the connection is closed then
 */
export async function migrated(dialect: Dialect, options: { exclusive: boolean }): Promise<Database> {
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw new RxscribeError('store', `migrate database: ${messageOf(error)}`, { cause: error });
  }
  return { db, exclusive: options.exclusive, close: () => db.destroy() };
}
