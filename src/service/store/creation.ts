import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A table by the SQL of its parts. */
interface Table {
  /** True when the table exists, and gets these columns. Default false. */
  readonly isChange?: boolean;
  /** Types by the names of the columns. */
  readonly columns: Readonly<Record<string, string>>;
  readonly constraints?: readonly string[];
  readonly indexes?: Readonly<Record<string, string>>;
  /** Columns with user data. They have no statistics: samples for the planner would outlive the rows. */
  readonly private?: readonly string[];
}

/** Returns a change that creates tables, or adds columns to them. */
export const creation = (tables: Readonly<Record<string, Table>>): Migration => ({
  async up(db) {
    const statements = Object.entries(tables).flatMap(([name, table]) => statementsOf(name, table));
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

function statementsOf(name: string, table: Table): readonly string[] {
  const { isChange, columns, constraints = [], indexes = {}, private: hidden = [] } = table;
  const parts = [...Object.entries(columns).map(([column, type]) => `"${column}" ${type}`), ...constraints];
  return [
    isChange
      ? `alter table ${name} ${parts.map(part => `add column ${part}`).join(', ')}`
      : `create table ${name} (${parts.join(', ')})`,
    ...Object.entries(indexes).map(([index, definition]) => `create index ${index} on ${name} ${definition}`),
    ...hidden.map(column => `alter table ${name} alter column "${column}" set statistics 0`),
  ];
}
