import { styleText } from 'node:util';
import { oneLine } from '../base/oneLine.ts';
import { commonErrors, worstFiles } from '../replay/report/commonErrors.ts';
import { differenceLines } from '../replay/report/differenceLines.ts';
import { clock, delayOf, middleAndMost, percent, titleOf } from '../replay/report/figures.ts';
import type { FileReport, GateCheck, Measures, Report } from '../replay/report/report.ts';
import { alignedRows } from './alignedRows.ts';

const TITLES = [
  ...['file', 'audio', 'WER', 'CER', 'word p50 / p95', 'final p50 / p95'],
  ...['UPWR', 'UPSR', 'coverage', 'captions', 'reconnects'],
];
const FAILED = 'failed';
/** Stretches of the worst file, and errors that were made most. */
const SHOWN_DIFFERENCES = 5;

/** A report for people: a row a file and one for all, what the gate says, and the worst differences. */
export function reportText(report: Report, output: NodeJS.WriteStream): string {
  const parts = [filesText(report, output), gateText(report, output), differencesText(report, output)];
  return parts.filter(part => part !== '').join('\n');
}

type Format = Parameters<typeof styleText>[0];

function styled(format: Format, text: string, stream: NodeJS.WriteStream): string {
  return styleText(format, text, { stream });
}

function filesText(report: Report, output: NodeJS.WriteStream): string {
  const { files } = report;
  const hasRun = files.some(({ failure }) => failure === undefined);
  const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
  const [titles = '', ...rows] = alignedRows([
    TITLES,
    ...files.map(file => [oneLine(titleOf(file, files)), clock(file.seconds), ...cells(file)]),
    ['all', clock(seconds), ...(hasRun ? measureCells(report) : [FAILED])],
  ]);
  const all = rows.pop()!;
  const lines = rows.map((row, index) =>
    files[index]!.failure === undefined ? row : styled('red', row, output),
  );
  return linesText([styled('dim', titles, output), ...lines, styled('bold', all, output)]);
}

function cells(file: FileReport): readonly string[] {
  return file.failure === undefined ? measureCells(file) : [FAILED];
}

function measureCells(measures: Measures): readonly string[] {
  const { wer, cer, upwr, upsr, coverage, violations, reconnects } = measures;
  return [
    ...[percent(wer), percent(cer)],
    ...[middleAndMost(delayOf(measures, 'word')), middleAndMost(delayOf(measures, 'final'))],
    ...[percent(upwr), percent(upsr), percent(coverage), String(violations), String(reconnects)],
  ];
}

function gateText({ gate, files }: Report, output: NodeJS.WriteStream): string {
  const isRepeated = files.some(({ repeat }) => repeat > 1);
  return linesText(
    gate.checks.map(check => {
      const text = `${subjectOf(check, isRepeated)}${oneLine(check.message)}`;
      return check.passed
        ? `${styled('green', '✔', output)} ${text}`
        : `${styled('red', '✘', output)} ${text}`;
    }),
  );
}

function subjectOf({ file, repeat }: GateCheck, isRepeated: boolean): string {
  if (file === undefined) return '';
  return `${oneLine(file)}${isRepeated && repeat !== undefined ? ` (repeat ${repeat})` : ''}: `;
}

function differencesText({ files }: Report, output: NodeJS.WriteStream): string {
  const worst = worstFiles(files).find(({ failure }) => failure === undefined);
  if (!worst) return '';
  const title = `differences of ${oneLine(titleOf(worst, files))}, which has the most`;
  const common = commonErrors(files, SHOWN_DIFFERENCES).map(({ reference, hypothesis, count }) =>
    oneLine(`${count} × ${reference || '(nothing)'} → ${hypothesis || '(nothing)'}`),
  );
  return linesText([
    styled('dim', title, output),
    ...differenceLines(worst.alignment, SHOWN_DIFFERENCES).map(oneLine),
    styled('dim', 'most common errors', output),
    ...common,
  ]);
}

function linesText(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
