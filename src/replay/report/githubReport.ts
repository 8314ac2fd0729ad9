import type { FileReport } from '../measure/fileReport.ts';
import { differenceLines } from './differenceLines.ts';
import { subjectOf } from './figures.ts';
import type { GateCheck, Report } from './report.ts';

/** A place in a repository that a failure belongs to. */
export interface RepositoryPlace {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/** Maximum number of annotations; GitHub shows ten errors of a step. */
const MAX_ANNOTATIONS = 10;

/** Maximum size of the summary of a step, in bytes. GitHub drops a larger one as a whole. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/**
 * Formats the failed checks as commands of a GitHub workflow, which GitHub shows beside the files. Texts cannot end a
 * command.
 *
 * @param placeOf returns the place of a file of the report, or of the suite without a name
 */
export function githubAnnotations(
  report: Report,
  placeOf: (name: string | undefined) => RepositoryPlace | undefined,
): string {
  const failed = report.gate.checks.filter(({ passed }) => !passed);
  const shown = failed.slice(0, failed.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS);
  const levelOf = (checks: readonly GateCheck[]) =>
    checks.every(({ isInvalid }) => isInvalid) ? 'warning' : 'error';
  const lines = shown.map(check => {
    const { file } = check;
    const title = file === undefined ? report.suite : subjectOf(check);
    const text = annotationText(check, report.files);
    return command(levelOf([check]), { ...placeOf(file), title }, text);
  });
  const left = failed.slice(shown.length);
  const more = `and ${left.length} more failures`;
  const rest = left.length > 0 ? [command(levelOf(left), { title: report.suite }, more)] : [];
  return [...lines, ...rest].map(line => `${line}\n`).join('');
}

function annotationText({ file, message }: GateCheck, files: readonly FileReport[]): string {
  const run = files.find(({ name }) => name === file);
  return [message, ...(run && run.failure === undefined ? differenceLines(run.alignment, 3) : [])].join('\n');
}

function command(
  level: 'error' | 'warning',
  properties: Readonly<Record<string, string | number>>,
  text: string,
): string {
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${pairs.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Returns a text that a workflow prints without any command in it.
 *
 * @param token a random word, which ends the text
 */
export function withoutCommands(text: string, token: string): string {
  return `::stop-commands::${token}\n${text}\n::${token}::\n`;
}

/**
 * Returns as much of a Markdown report as the summary of a step has room for, in whole lines, with a note about the rest.
 *
 * @param usedBytes size of the summary so far
 */
export function summaryText(markdown: string, usedBytes: number): string {
  const note = '\n\nThe report is longer than a summary can be.\n';
  const bytes = Buffer.from(markdown);
  if (usedBytes + bytes.length <= MAX_SUMMARY_BYTES) return markdown;
  const room = MAX_SUMMARY_BYTES - usedBytes - note.length;
  const end = bytes.subarray(0, Math.max(0, room)).lastIndexOf('\n');
  return end < 0 ? '' : `${bytes.subarray(0, end)}${note}`;
}
