import type { Report } from './report.ts';

/** A report as JSON, as `readReport` reads it: two spaces a level, so that baselines in a repository show their changes. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
