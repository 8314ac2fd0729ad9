import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import {
  githubAnnotations,
  type RepositoryPlace,
  summaryText,
  withoutCommands,
} from '../../replay/report/githubReport.ts';
import { markdownReport } from '../../replay/report/markdownReport.ts';
import type { Report } from '../../replay/report/report.ts';
import { isSuiteFile } from '../../replay/suite/read/readSuite.ts';
import type { Suite } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';

/** Value of `--report` for the annotations and the summary of a GitHub workflow. */
export const GITHUB = 'github';

/** Returns whether results are shown in a GitHub workflow: with `--report github`, or inside a workflow. */
export function isForGithub({ env }: Context, report: readonly string[]): boolean {
  return report.includes(GITHUB) || env.GITHUB_ACTIONS === 'true';
}

/** Prints a text or JSON, in which words such as `::error::` are no commands of a workflow. */
export function printResults({ stdout }: Context, text: string, isGithub: boolean, isJson = false): void {
  if (!isGithub) stdout.write(text);
  // JSON is for other programs. The older form of commands could be inside its strings only.
  else stdout.write(isJson ? text.replaceAll('##[', '\\u0023#[') : withoutCommands(text, randomUUID()));
}

/** Prints an annotation for each failure. @param paths those of the command line */
export async function annotate(
  { stdout, stderr, env }: Context,
  report: Report,
  { suite, paths, isJson }: { suite: Suite; paths: readonly string[]; isJson?: boolean },
): Promise<void> {
  const root = env.GITHUB_WORKSPACE ?? process.cwd();
  const [path = ''] = paths;
  const lines = isSuiteFile(path) ? (await readFile(path, 'utf8')).split('\n') : [];
  const { cases } = suite;
  const placeOf = (name: string | undefined): RepositoryPlace | undefined => {
    const input = cases.find(each => each.name === name || cases.length === 1)?.input.path;
    // File names in a suite are relative to the suite.
    const named = relative(resolve(path, '..'), input ?? path);
    const row = name === undefined ? 0 : lines.findIndex(line => line.includes(named));
    const place = lines.length > 0 && row >= 0 ? resolve(path) : input;
    const file = relative(root, place ?? root);
    if (file === '' || file.startsWith('..') || isAbsolute(file)) return undefined;
    return { file, line: Math.max(row, 0) + 1 };
  };
  (isJson ? stderr : stdout).write(githubAnnotations(report, placeOf));
}

/** Appends a report to the summary of the step, which later and earlier commands share. */
export async function appendSummary(path: string, report: Report): Promise<void> {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  await appendFile(path, summaryText(markdownReport(report), size));
}
