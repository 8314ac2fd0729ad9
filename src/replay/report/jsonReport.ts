import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { reasonOf, unreadable } from '../../base/errors.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import type { Report } from './report.ts';
import { REPORT_VERSION, ReportSchema } from './reportSchema.ts';

/**
 * Formats a report as JSON for `readReport`, indented by two spaces, so that a baseline in a repository has readable
 * diffs.
 */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Reads a report that `--report FILE.json` wrote.
 *
 * @throws RxscribeError `unreadable-input` for a missing file, other JSON or a later version; the signal's reason
 * @example
 * const { wer } = await readReport('baseline.json');
 */
export async function readReport(path: string, options: { signal?: AbortSignal } = {}): Promise<Report> {
  const { signal } = options;
  const text = await readFile(path, { encoding: 'utf8', signal }).catch(cause => {
    signal?.throwIfAborted();
    throw unreadable(`the report '${path}'`, reasonOf(cause), cause);
  });
  return parseReport(text, path);
}

/** Parses the text of a report. `path` is for messages. */
export function parseReport(text: string, path: string): Report {
  const value = jsonOf(text);
  const { report, version } = (value ?? {}) as { report?: unknown; version?: unknown };
  const refuse = (fault: string) => unreadable(`the report '${path}'`, fault);
  if (value === undefined) throw refuse('it is not JSON');
  if (report !== 'rxscribe') throw refuse('it is not a report of rxscribe replay');
  if (version !== REPORT_VERSION) {
    const fault = `it has version ${JSON.stringify(version)}, not ${REPORT_VERSION}`;
    throw refuse(`${fault}. Run the suite with --update to write it again`);
  }
  if (Value.Check(ReportSchema, value)) return value;
  const [error] = Value.Errors(ReportSchema, value);
  throw refuse(`it is not a valid report: ${error?.instancePath || 'the file'} ${error?.message}`);
}
