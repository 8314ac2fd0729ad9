import { type Kysely, sql } from 'kysely';
import { Value } from 'typebox/value';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { SettingsChangeSchema } from '../../protocol/admin.ts';
import { DeskTurnsSchema } from '../../protocol/desk.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import type { Tables } from '../store/tables.ts';
import { serviceLanes } from '../tasks/serviceTasks.ts';
import { linesOf } from './lines.ts';
import { damaged, type Manifest, STATE_TABLE_NAMES, type StateTable, tablePath } from './parts.ts';

/** Schema of the rows until they are those of this release; it exists within one transaction only. */
const SCRATCH = 'rxscribe_import';
/** Rows of a statement, and characters after which it gets no more. */
const BATCH = { rows: 500, length: 4_000_000 };

export type ImportedRows = Awaited<ReturnType<typeof openImportedRows>>;

/** @throws RxscribeError `unreadable-input` for an export of a later release, or of migrations that no release has */
export function checkMigrations({ migrations: executed, release }: Manifest): void {
  const known = Object.keys(MIGRATIONS);
  if (executed.some(name => !known.includes(name))) {
    throw new RxscribeError(
      'unreadable-input',
      `The export is of release ${release}, whose data this release does not know. Use that release or a later one.`,
    );
  }
  if (executed.length === 0 || executed.some((name, index) => name !== known[index])) {
    throw damaged('the list of its migrations has gaps');
  }
}

/**
 * Opens the rows of an export with known migrations, within one transaction. They are loaded into tables with the schema of the
 * export's release; these are then migrated, so that a release can import the exports of all earlier ones.
 */
export async function openImportedRows(trx: Kysely<Tables>, { migrations: executed }: Manifest) {
  const known = Object.values(MIGRATIONS);
  const { rows: places } = await sql<{ home: string; path: string }>`
    select current_schema() as home, current_setting('search_path') as path`.execute(trx);
  const { home, path } = places[0]!;
  await sql`create schema ${sql.id(SCRATCH)}`.execute(trx);
  await sql`select set_config('search_path', ${SCRATCH}, true)`.execute(trx);
  for (const { up } of known.slice(0, executed.length)) await up(trx);
  const columns = await columnsOf(trx);
  return {
    /** Tables that the export must have, in their order. */
    tables: STATE_TABLE_NAMES.filter(table => columns.has(table)),

    /**
     * Loads the rows of a table.
     *
     * @returns their number
     * @throws RxscribeError `unreadable-input` for rows that do not fit
     */
    async load(table: StateTable, contents: AsyncIterable<Uint8Array>): Promise<number> {
      let count = 0;
      for await (const batch of batchesOf(table, contents, columns.get(table)!)) {
        await insert(trx, table, batch, count);
        count += batch.length;
      }
      return count;
    },

    /** Migrates the rows, and moves them to the tables of the service. */
    async finish(): Promise<void> {
      for (const { up } of known.slice(executed.length)) await up(trx);
      for (const [table, columns] of await columnsOf(trx)) {
        const list = sql.join([...columns.keys()].map(name => sql.id(name)));
        await sql`insert into ${sql.id(home, table)} (${list})
          select ${list} from ${sql.id(SCRATCH, table)}`.execute(trx);
      }
      await sql`select set_config('search_path', ${path}, true)`.execute(trx);
      await sql`drop schema ${sql.id(SCRATCH)} cascade`.execute(trx);
    },
  };
}

interface Column {
  readonly type: string;
  readonly isNullable: boolean;
}

type Columns = ReadonlyMap<string, Column>;

/** Returns the columns of the tables with state, in the order in which rows can be inserted. */
async function columnsOf(trx: Kysely<Tables>): Promise<ReadonlyMap<StateTable, Columns>> {
  const { rows } = await sql<{ owner: string; name: string; type: string; nullable: string }>`
    select table_name as owner, column_name as name, data_type as type, is_nullable as nullable
    from information_schema.columns where table_schema = ${SCRATCH} order by ordinal_position`.execute(trx);
  const tables = new Map<StateTable, Map<string, Column>>();
  for (const table of STATE_TABLE_NAMES) {
    const own = rows.filter(({ owner }) => owner === table);
    const columns = own.map(({ name, type, nullable }) => {
      return [name, { type, isNullable: nullable === 'YES' }] as const;
    });
    if (columns.length > 0) tables.set(table, new Map(columns));
  }
  return tables;
}

/** Yields checked rows as JSON, some at a time. */
async function* batchesOf(
  table: StateTable,
  contents: AsyncIterable<Uint8Array>,
  columns: Columns,
): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  let number = 0;
  for await (const line of linesOf(tablePath(table), contents)) {
    number++;
    const row = jsonOf(line);
    const problem = problemOf(row, columns);
    if (problem) throw damaged(`'${tablePath(table)}', line ${number}, ${problem}`);
    // Serialised again, so that the database reads exactly the checked values.
    batch.push(JSON.stringify(row));
    length += line.length;
    if (batch.length < BATCH.rows && length < BATCH.length) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Returns the reason why a row does not fit a table. The reason contains no values, which may be private. */
function problemOf(row: unknown, columns: Columns): string | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'is no JSON object';
  const unknown = Object.keys(row).find(name => !columns.has(name));
  if (unknown !== undefined) return `has an unknown column '${unknown.slice(0, 64)}'`;
  const missing = [...columns.keys()].find(name => !Object.hasOwn(row, name));
  if (missing !== undefined) return `lacks the column '${missing}'`;
  const wrong = Object.entries(row).find(([name, value]) => !fits(value, name, columns.get(name)));
  return wrong && `has a value in the column '${wrong[0]}' that does not fit`;
}

const isInteger = (bits: number) => (value: unknown) =>
  Number.isInteger(value) && Math.abs(value as number) < 2 ** (bits - 1);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d:\d\d$/;

/** Checks of values by the type of their column. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  smallint: isInteger(16),
  integer: isInteger(32),
  'double precision': value => typeof value === 'number',
  'timestamp with time zone': value =>
    typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value)),
  json: value => isShallow(value, MAX_DEPTH),
  jsonb: value => isShallow(value, MAX_DEPTH),
};

/** Levels of a JSON value that the database, and functions that call themselves, surely take. */
const MAX_DEPTH = 100;

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every(each => isShallow(each, depth - 1));
}

const matches = (pattern: RegExp) => (value: unknown) => pattern.test(String(value));
/** Ids become parts of paths. */
const isId = matches(/^[\w-]{1,64}$/);
const isUrl = (value: unknown) => /^https?:$/.test(URL.parse(String(value))?.protocol ?? '');

const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
const isCount = (value: unknown) => (value as number) >= 0;
const JOB_TYPES = ['stream', ...serviceLanes(1).flatMap(({ types }) => types)];
const LIMITS = SettingsChangeSchema.properties.limits.properties;
const isLimit = (name: keyof typeof LIMITS) => (value: unknown) => Value.Check(LIMITS[name], value);

/** Checks of columns whose values the service trusts. */
const RULES: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isId,
  results_id: isId,
  account_id: isId,
  job_id: isId,
  hash: matches(/^[0-9a-f]{64}$/),
  status: matches(/^(?:in_progress|done|failed)$/),
  stage: matches(/^waiting$/),
  type: value => JOB_TYPES.includes(value as string),
  options: isObject,
  findings: isObject,
  max_streams: isLimit('streams'),
  max_jobs_in_progress: isLimit('jobs_in_progress'),
  requests_per_second: isLimit('requests_per_second'),
  request_burst: isLimit('request_burst'),
  reserved_seconds: isCount,
  delete_after_seconds: isCount,
  retention_seconds: isCount,
  duration_seconds: isCount,
  attempts: isCount,
  progress: isCount,
  role: matches(/^(?:transcriber|admin)$/),
  // Becomes a header.
  request_id: matches(/^[\w.-]{1,128}$/),
  url: isUrl,
  turns: value => Value.Check(DeskTurnsSchema, value),
  notification: value => isUrl(Object(value).url),
};

function fits(value: unknown, name: string, column: Column | undefined): boolean {
  if (value === null) return column?.isNullable ?? false;
  return (TYPES[column?.type ?? '']?.(value) ?? false) && (RULES[name]?.(value) ?? true);
}

/** @throws RxscribeError `unreadable-input` for rows that the database refuses */
async function insert(
  trx: Kysely<Tables>,
  table: StateTable,
  rows: readonly string[],
  before: number,
): Promise<void> {
  try {
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(
      trx,
    );
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Error classes of data, of constraints and of sizes. A message of the first class contains the value.
    if (typeof code !== 'string' || !/^(?:2[23]|54)/.test(code)) throw error;
    const reason = code.startsWith('22') ? 'a value does not fit' : reasonOf(error);
    const lines = `lines ${before + 1} to ${before + rows.length}`;
    throw damaged(`'${tablePath(table)}', ${lines}: ${reason}`, error);
  }
}
