import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { REPORT_VERSION, type Report } from './report.ts';
import { ReportSchema } from './reportSchema.ts';

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
    throw unreadable(path, reasonOf(cause), cause);
  });
  return parseReport(text, path);
}

/** Parses the text of a report. `path` is for messages. */
export function parseReport(text: string, path: string): Report {
  const value = parseJson(text, path);
  const { report, version } = (value ?? {}) as { report?: unknown; version?: unknown };
  if (report !== 'rxscribe') {
    throw unreadable(path, 'it is not a report of rxscribe replay');
  }
  if (version !== REPORT_VERSION) {
    const fault = `it has version ${JSON.stringify(version)}, not ${REPORT_VERSION}`;
    throw unreadable(path, `${fault}. Run the suite with --update to write it again`);
  }
  if (Value.Check(ReportSchema, value)) return value;
  const [error] = Value.Errors(ReportSchema, value);
  throw unreadable(path, `it is not a valid report: ${error?.instancePath || 'the file'} ${error?.message}`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The message of the parser quotes the text.
    throw unreadable(path, 'it is not JSON', cause);
  }
}

function unreadable(path: string, fault: string, cause?: unknown): RxscribeError {
  return new RxscribeError('unreadable-input', `Cannot read the report '${path}': ${fault}.`, {
    cause,
  });
}
