import { type Kysely, sql } from 'kysely';
import tables from './firstSchema.json' with { type: 'json' };

/** A table by the SQL of its parts. */
interface Table {
  /** Types by the names of the columns. */
  readonly columns: Readonly<Record<string, string>>;
  readonly constraints?: readonly string[];
  readonly indexes?: Readonly<Record<string, string>>;
  /** Columns with user data. They have no statistics: samples for the planner would outlive the rows. */
  readonly private?: readonly string[];
}

/** Creates the tables of the first release. */
export async function createFirstSchema(db: Kysely<unknown>): Promise<void> {
  for (const [name, table] of Object.entries<Table>(tables)) {
    for (const statement of statementsOf(name, table)) await sql.raw(statement).execute(db);
  }
}

function statementsOf(name: string, table: Table): readonly string[] {
  const { columns, constraints = [], indexes = {}, private: hidden = [] } = table;
  const parts = [...Object.entries(columns).map(([column, type]) => `"${column}" ${type}`), ...constraints];
  return [
    `create table ${name} (${parts.join(', ')})`,
    ...Object.entries(indexes).map(([index, definition]) => `create index ${index} on ${name} ${definition}`),
    ...hidden.map(column => `alter table ${name} alter column "${column}" set statistics 0`),
  ];
}
