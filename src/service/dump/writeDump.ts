import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { RxscribeError } from '../../base/errors.ts';
import { QUEUE_TABLES, queueSchema, watchEntries } from '../jobs/queue.ts';
import { executedMigrations, MIGRATIONS, migrate } from '../store/migrations.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Rows per query. */
const BATCH = 200;

/**
 * Writes the database of a store that no service uses as a script for `psql`, which fills an empty database on a server in one
 * transaction. The queue must have been opened by this release.
 *
 * @throws RxscribeError `store` when a later release has changed the database; the signal's reason
 */
export async function writeDump(
  { db }: Pick<OpenStore, 'db'>,
  write: (text: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const later = (await executedMigrations(db)).find(name => !(name in MIGRATIONS));
  if (later !== undefined) {
    throw new RxscribeError(
      'store',
      `A later release has changed the database (${later}). Dump it with that release.`,
    );
  }
  const creations = await schemaStatements();
  const tables = creations.flatMap(text => /^create table (?:if not exists )?"?(\w+)/.exec(text)?.[1] ?? []);
  await write(`\\set ON_ERROR_STOP on\nset client_encoding = 'UTF8';\n${queueSchema()}\n`);
  for (const text of creations) await write(`${text};\n`);
  await db.transaction().execute(async trx => {
    // A table stands behind those that it refers to.
    for (const table of [...tables, ...QUEUE_TABLES]) await writeRows(trx, table, write, signal);
  });
  await write(`${watchEntries()};\ncommit;\n`);
}

/** Returns the statements that create the schema, in their order: those of the migrations on a database that only records them. */
async function schemaStatements(): Promise<readonly string[]> {
  const statements: string[] = [];
  const recorder = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await migrate(recorder);
  return statements.filter(text => /^(?:create|alter) /.test(text));
}

/** Writes the rows of a table in the text format of COPY. */
async function writeRows(
  trx: Kysely<Tables>,
  table: string,
  write: (text: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(trx);
  const names = columns.map(({ name }) => name);
  const texts = names.map(name => sql`${sql.id(name)}::text`);
  await write(`copy ${table} (${names.map(name => `"${name}"`).join(', ')}) from stdin;\n`);
  await sql`declare dumped cursor for select ${sql.join(texts)} from ${sql.table(table)}`.execute(trx);
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await sql<Record<string, string | null>>`fetch ${sql.lit(BATCH)} from dumped`.execute(
      trx,
    );
    if (rows.length === 0) break;
    await write(rows.map(row => `${Object.values(row).map(copyText).join('\t')}\n`).join(''));
  }
  await sql`close dumped`.execute(trx);
  await write('\\.\n');
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const copyText = (value: string | null) =>
  value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, character => ESCAPES[character]!);
