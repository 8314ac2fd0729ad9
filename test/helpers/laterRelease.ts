import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { MIGRATIONS } from '../../src/service/store/migrations.ts';

/** Makes stores open as those of a later release with a change, until it is disposed of. */
export function laterRelease(change: string, statements: readonly string[]): Disposable {
  const changes = MIGRATIONS as Record<string, Migration>;
  changes[change] = {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
  return {
    [Symbol.dispose]() {
      delete changes[change];
    },
  };
}
