import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.ts';
import { type HtmlOptions, htmlReport } from './html/htmlReport.ts';
import { jsonReport } from './jsonReport.ts';
import { junitReport } from './junitReport.ts';
import { markdownReport } from './markdownReport.ts';
import type { Report, ReportMedia } from './report.ts';

type Writer = (report: Report, media: ReportMedia, options: HtmlOptions) => string | Promise<string>;

const WRITERS: Readonly<Record<string, Writer>> = {
  '.json': jsonReport,
  '.xml': junitReport,
  '.md': markdownReport,
  '.html': htmlReport,
};

/** Throws where a path has no ending of a report: to be asked before a suite is run. */
export function checkReportPath(path: string): void {
  if (Object.hasOwn(WRITERS, extname(path))) return;
  const wanted = `a name that ends in ${Object.keys(WRITERS).join(', ')}`;
  throw new InvalidArgumentError(`write report: wanted ${wanted}, found ${path}`);
}

/**
 * Writes a report, as what its ending says: JSON (`.json`), JUnit XML (`.xml`), Markdown (`.md`), or a page with the
 * audio in it (`.html`; `media` by the names of files). The file is there as a whole or as it was. Directories are made.
 *
 * @throws InvalidArgumentError for another ending; the signal's reason; what the file system says
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
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, text, { signal: options.signal });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
