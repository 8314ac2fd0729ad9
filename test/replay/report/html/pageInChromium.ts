import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { HtmlOptions } from '../../../../src/replay/report/html/htmlReport.ts';
import type { Report, ReportMedia } from '../../../../src/replay/report/report.ts';
import { writeReport } from '../../../../src/replay/report/writeReport.ts';

/** A report in a page, with everything that went wrong in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors, messages of the console, and requests beyond the page itself. */
  readonly complaints: readonly string[];
}

export async function openReport(
  browser: Browser,
  report: Report,
  options: { media?: ReportMedia; html?: HtmlOptions; browser?: BrowserContextOptions } = {},
): Promise<OpenPage> {
  const directory = await mkdtemp(join(tmpdir(), 'page-'));
  const path = join(directory, 'report.html');
  await writeReport(report, path, options.media, options.html);
  const context = await browser.newContext({ offline: true, ...options.browser });
  const page = await context.newPage();
  const complaints: string[] = [];
  const address = pathToFileURL(path).href;
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('dialog', dialog => complaints.push(`dialog ${dialog.message()}`));
  page.on('request', request => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('blob:')) complaints.push(`request ${url}`);
  });
  await page.goto(address);
  return {
    page,
    complaints,
    async [Symbol.asyncDispose]() {
      await context.close();
      await rm(directory, { recursive: true });
    },
  };
}
