import { LIST_LIMIT } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import type { AdminFlags } from '../flags/adminOptions.ts';
import { type Column, printRecords } from '../print/table.ts';
import type { AdminCall } from './adminCall.ts';

/** Calls the administration interface of a service, and prints the record or the records of the answer. */
export async function printAnswer<Row extends object>(
  { stdout }: Pick<Context, 'stdout'>,
  flags: AdminFlags,
  call: AdminCall,
  columns: readonly Column<Row>[],
): Promise<readonly Row[]> {
  const { adminCall } = await import('./adminCall.ts');
  const answer = await adminCall<Row | readonly Row[]>(flags, call);
  const rows = Array.isArray(answer) ? (answer as readonly Row[]) : [answer as Row];
  printRecords(stdout, rows, columns, flags);
  return rows;
}

export interface LimitedList<Row> extends Pick<AdminCall, 'path' | 'query'> {
  /** Records that the service gives of more. */
  readonly part: 'latest' | 'first';
  /** Name of the records, such as `events`. */
  readonly of: string;
  readonly columns: readonly Column<Row>[];
}

/** Prints a list of which the service gives {@link LIST_LIMIT} records at most. */
export async function printLimited<Row extends object>(
  context: Pick<Context, 'stdout' | 'stderr'>,
  flags: AdminFlags,
  { part, of, columns, ...call }: LimitedList<Row>,
): Promise<void> {
  const rows = await printAnswer(context, flags, { ...call, action: `list ${of}`, method: 'GET' }, columns);
  if (rows.length < LIST_LIMIT.max) return;
  context.stderr.write(`Only the ${part} ${LIST_LIMIT.max} ${of} are listed.\n`);
}
