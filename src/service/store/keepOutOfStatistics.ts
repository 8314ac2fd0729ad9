import { type Kysely, sql } from 'kysely';

/** Excludes columns from the statistics of the planner: its samples of user data would outlive the rows. */
export async function keepOutOfStatistics(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const changes = columns.map(column => sql`alter column ${sql.ref(column)} set statistics 0`);
  await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
}
