import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { reasonOf, unreadable } from '../../base/errors.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { measuresAt } from '../measure/measurePaths.ts';
import { testedText } from './figures.ts';
import type { Report } from './report.ts';
import { MAIN_MEASURES } from './spreadTable.ts';
import { writeAtomically } from './writeAtomically.ts';

const HistoryEntrySchema = Type.Object({
  /** Time of the run, ISO 8601, UTC. */
  date: Type.String({ minLength: 10, maxLength: 40 }),
  suite: Type.String(),
  /** Names of the services, or recordings, that answered the streams. */
  tested: Type.String(),
  commit: Type.Optional(Type.String()),
  passed: Type.Boolean(),
  /** Absent unless only times failed, on a machine that was too busy to measure them. */
  isInvalid: Type.Optional(Type.Boolean()),
  /** Main measures over all files by path, without unmeasured ones. */
  measures: Type.Record(Type.String(), Type.Number()),
});

/** One run in the file of `--history`. */
export type HistoryEntry = Static<typeof HistoryEntrySchema>;

/** Number of runs that a history keeps, and its maximum size in bytes when it is read. */
export const HISTORY_LIMITS = { runs: 1000, bytes: 16 * 1024 * 1024 } as const;

/** Returns the entry of a report. */
export function historyEntry(report: Report, commit?: string): HistoryEntry {
  const { createdAt: date, suite, files, gate } = report;
  const { passed, isInvalid } = gate;
  const verdict = { passed, ...(isInvalid && { isInvalid }) };
  const measures = measuresAt(report, Object.keys(MAIN_MEASURES));
  return { date, suite, tested: testedText(files), ...(commit && { commit }), ...verdict, measures };
}

/**
 * Reads a history; a file that does not exist has no runs.
 *
 * @throws RxscribeError `unreadable-input` for a broken line, with its number
 */
export async function readHistory(path: string): Promise<readonly HistoryEntry[]> {
  const lines = (await textOf(path)).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const entry = jsonOf(line);
    if (Value.Check(HistoryEntrySchema, entry)) return [entry];
    const [error] = Value.Errors(HistoryEntrySchema, entry);
    const fault = entry === undefined ? 'it is not JSON' : `${error?.instancePath} ${error?.message}`.trim();
    throw unreadable(`the history '${path}', line ${index + 1}`, `${fault}. Mend or remove the line`);
  });
}

/** Appends a run. A full history loses its oldest runs. */
export async function appendHistory(path: string, entry: HistoryEntry): Promise<void> {
  const text = await textOf(path);
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const added = `${JSON.stringify(entry)}\n`;
  if (lines.length >= HISTORY_LIMITS.runs) {
    return writeAtomically(path, `${lines.slice(1 - HISTORY_LIMITS.runs).join('\n')}\n${added}`);
  }
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${added}`);
}

async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(cause => {
    if (cause.code === 'ENOENT') return Buffer.alloc(0);
    throw unreadable(`the history '${path}'`, reasonOf(cause), cause);
  });
  if (bytes.length <= HISTORY_LIMITS.bytes) return bytes.toString();
  throw unreadable(
    `the history '${path}'`,
    `it has ${bytes.length} bytes, more than ${HISTORY_LIMITS.bytes}`,
  );
}
