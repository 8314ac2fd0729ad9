import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import type { FileReport } from '../../replay/measure/fileReport.ts';
import { commonErrors, groupTables, holesTable, worstFiles } from '../../replay/report/commonErrors.ts';
import { differenceLines } from '../../replay/report/differenceLines.ts';
import { AGREEMENT_NOTE, clock, isAgreement, testedText, verdictOf } from '../../replay/report/figures.ts';
import { runColumns } from '../../replay/report/measureColumns.ts';
import type { GateCheck, Report, ReportTable } from '../../replay/report/report.ts';
import type { Output } from '../context.ts';
import { linesText, partsText } from './table.ts';

const FAILED = 'failed';
/** Differences of the worst file, and most common errors, that are shown. */
const SHOWN_DIFFERENCES = 5;

/** Returns a report for people: a row per file and one for all, speakers, keywords, the gate and the worst differences. */
export function reportText(report: Report, output: Output): string {
  const parts = [
    filesText(report, output),
    ...groupTables(report).map(table => groupText(table, output)),
    holesText(report, output),
    gateText(report, output),
    differencesText(report, output),
  ];
  return parts.filter(part => part !== '').join('\n');
}

type Format = Parameters<typeof styleText>[0];

function styled(format: Format, text: string, stream: Output): string {
  return styleText(format, text, { stream });
}

function filesText(report: Report, output: Output): string {
  const { files } = report;
  const hasRun = files.some(({ failure }) => failure === undefined);
  const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
  const columns = runColumns(report);
  const cells = (of: FileReport | Report) => columns.map(({ text }) => text(of));
  const titles = ['File', 'audio', ...columns.map(({ title }) => title)];
  const rows = files.map(file => {
    const failed = file.isExpected ? 'failed as expected' : FAILED;
    return [file.name, clock(file.seconds), ...(file.failure === undefined ? cells(file) : [failed])];
  });
  const last = ['All', clock(seconds), ...(hasRun ? cells(report) : [FAILED])];
  const isBad = (index: number) => files[index]?.failure !== undefined && !files[index].isExpected;
  const notes = [...(isAgreement(report) ? [AGREEMENT_NOTE] : []), testedText(files)];
  return tableText({ titles, rows, last }, output, isBad) + linesText(notes.filter(note => note !== ''));
}

function groupText(table: ReportTable, output: Output): string {
  return linesText([styled('dim', table.title, output)]) + tableText(table, output);
}

function holesText(report: Report, output: Output): string {
  const table = holesTable(report);
  return table.rows.length === 0 ? '' : groupText(table, output);
}

/** Returns a table with its titles, and with the figures of all rows together last. */
function tableText(
  { titles: [first = '', ...titles], rows, last }: Pick<ReportTable, 'titles' | 'rows' | 'last'>,
  output: Output,
  isBad: (index: number) => boolean = () => false,
): string {
  const all = [[first.toLowerCase(), ...titles], ...rows, ...(last ? [['all', ...last.slice(1)]] : [])];
  const lines = all.map(row => row.map(oneLine));
  return partsText(lines, output, (line, index) => {
    if (index === 0) return styled('dim', line, output);
    if (index > rows.length) return styled('bold', line, output);
    return isBad(index - 1) ? styled('red', line, output) : line;
  });
}

const MARKS = { passed: ['green', '✔'], invalid: ['yellow', '!'], failed: ['red', '✘'] } as const;

/** Returns the checks of the gate, one a line. */
function gateText({ gate }: Report, output: Output): string {
  return linesText(
    gate.checks.map(check => {
      const [color, mark] = MARKS[verdictOf(check)];
      return `${styled(color, mark, output)} ${subjectText(check)}${oneLine(check.message)}`;
    }),
  );
}

function subjectText({ file }: GateCheck): string {
  return file === undefined ? '' : `${oneLine(file)}: `;
}

function differencesText({ files }: Report, output: Output): string {
  const worst = worstFiles(files).find(({ failure }) => failure === undefined);
  if (!worst) return '';
  const title = `differences of ${oneLine(worst.name)}, the file with the most`;
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
