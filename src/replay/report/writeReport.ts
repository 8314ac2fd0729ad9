import { mkdir } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.ts';
import { type HtmlOptions, htmlReport } from './html/htmlReport.ts';
import { junitReport } from './junitReport.ts';
import { markdownReport } from './markdownReport.ts';
import type { Report, ReportMedia } from './report.ts';
import { type FileText, writeAtomically } from './writeAtomically.ts';

type Writer = (report: Report, media: ReportMedia, options: HtmlOptions) => FileText | Promise<FileText>;

const WRITERS: Readonly<Record<string, Writer>> = {
  '.json': jsonReport,
  '.xml': junitReport,
  '.md': markdownReport,
  '.html': htmlReport,
};

/** Formats a report as JSON, indented by two spaces. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Checks the extension of a report before a suite is run. @throws InvalidArgumentError for an unknown extension */
export function checkReportPath(path: string): void {
  if (Object.hasOwn(WRITERS, extname(path))) return;
  const allowed = Object.keys(WRITERS).join(', ');
  throw new InvalidArgumentError(
    `Cannot write the report '${path}': its name must end in one of ${allowed}.`,
  );
}

/**
 * Writes a report in the format of its extension: JSON (`.json`), JUnit XML (`.xml`), Markdown (`.md`), or a page with
 * its audio (`.html`; `media` is by the names of the files). The file is written atomically, and missing directories
 * are made.
 *
 * @throws InvalidArgumentError for another extension; the signal's reason; errors of the file system
 * @example
 * await writeReport(report, 'report.html', new Map([['talk', { audio: 'talk.wav' }]]));
 */
export async function writeReport(
  report: Report,
  path: string,
  media: ReportMedia = new Map(),
  options: HtmlOptions = {},
): Promise<void> {
  checkReportPath(path);
  const text = await WRITERS[extname(path)]!(report, media, options);
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, text, options.signal);
}
