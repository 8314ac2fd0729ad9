import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { REPORT_VERSION, type Report } from './report.ts';
import { ReportSchema } from './reportSchema.ts';

/** A report as JSON, as `readReport` reads it: two spaces a level, so that baselines in a repository show their changes. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Reads what `--report FILE.json` wrote: a baseline.
 *
 * @throws RxscribeError `unreadable-input`: no file, no JSON, no report, one of a later version; the signal's reason
 * @example
 * const { wer } = await readReport('baseline.json');
 */
export async function readReport(path: string, options: { signal?: AbortSignal } = {}): Promise<Report> {
  const { signal } = options;
  const text = await readFile(path, { encoding: 'utf8', signal }).catch(cause => {
    signal?.throwIfAborted();
    throw unreadable(path, 'a file', messageOf(cause), cause);
  });
  return parseReport(text, path);
}

/** The same, of text. `path` is for messages. */
export function parseReport(text: string, path: string): Report {
  const value = parseJson(text, path);
  const { report, version } = (value ?? {}) as { report?: unknown; version?: unknown };
  if (report !== 'rxscribe') {
    throw unreadable(path, 'a report of rxscribe replay', 'JSON without "report": "rxscribe"');
  }
  if (version !== REPORT_VERSION) {
    const found = `version ${JSON.stringify(version)}; run the suite again with --update to write it anew`;
    throw unreadable(path, `version ${REPORT_VERSION}`, found);
  }
  if (Value.Check(ReportSchema, value)) return value;
  const [error] = Value.Errors(ReportSchema, value);
  throw unreadable(path, 'a report', `${error?.instancePath || 'its whole'} to be wrong (${error?.message})`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's own message quotes the text.
    throw unreadable(path, 'JSON', 'something else', cause);
  }
}

function unreadable(path: string, wanted: string, found: string, cause?: unknown): RxscribeError {
  return new RxscribeError('unreadable-input', `read report ${path}: wanted ${wanted}, found ${found}`, {
    cause,
  });
}
