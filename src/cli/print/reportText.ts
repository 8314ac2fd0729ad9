import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import type { FileReport } from '../../replay/measure/fileReport.ts';
import { AGREEMENT_NOTE, isAgreement } from '../../replay/report/agreement.ts';
import { commonErrors, worstFiles } from '../../replay/report/commonErrors.ts';
import { differenceLines } from '../../replay/report/differenceLines.ts';
import { clock, percent, subjectOf, testedText, titlesOf } from '../../replay/report/figures.ts';
import { cohortTable, runColumns } from '../../replay/report/measureColumns.ts';
import type { GateCheck, Report } from '../../replay/report/report.ts';
import { spreadTable, textShare } from '../../replay/report/spreadTable.ts';
import type { Output } from '../context.ts';
import { alignedRows, linesText, partsText } from './table.ts';

const FAILED = 'failed';
/** Differences of the worst file, and most common errors, that are shown. */
const SHOWN_DIFFERENCES = 5;

/** Returns a report for people: a row per file and one for all, speakers, keywords, the gate and the worst differences. */
export function reportText(report: Report, output: Output): string {
  const parts = [
    filesText(report, output),
    cohortsText(report, output),
    spreadText(report, output),
    speakersText(report, output),
    keywordsText(report, output),
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
  const titleOf = titlesOf(files);
  const hasRun = files.some(({ failure }) => failure === undefined);
  const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
  const columns = runColumns(report);
  const cells = (of: FileReport | Report) => columns.map(({ text }) => text(of));
  const rows = [
    ['file', 'audio', ...columns.map(({ title }) => title)],
    ...files.map(file => {
      const failed = file.isExpected ? 'failed as expected' : FAILED;
      const figures = file.failure === undefined ? cells(file) : [failed];
      return [oneLine(titleOf(file)), clock(file.seconds), ...figures];
    }),
    ['all', clock(seconds), ...(hasRun ? cells(report) : [FAILED])],
  ];
  const isBad = (index: number) => files[index]?.failure !== undefined && !files[index].isExpected;
  const notes = [...(isAgreement(report) ? [AGREEMENT_NOTE] : []), textShare(report), testedText(files)];
  return figuresText(rows, output, isBad) + linesText(notes.filter(note => note !== ''));
}

function cohortsText(report: Report, output: Output): string {
  const table = cohortTable(report);
  return table
    ? tableText(
        table.titles,
        table.rows.map(row => row.map(oneLine)),
        output,
      )
    : '';
}

function spreadText(report: Report, output: Output): string {
  const table = spreadTable(report);
  if (!table) return '';
  const files = table.rows.slice(0, -1).map(([name = '', ...cells]) => [oneLine(name), ...cells]);
  const [, ...totals] = table.rows.at(-1) ?? [];
  const rows = [['file', ...table.titles.slice(1)], ...files, ['all', ...totals]];
  return linesText([styled('dim', table.title, output)]) + figuresText(rows, output);
}

/** Returns a table whose first row has titles, and whose last one has the figures of all files. */
function figuresText(
  rows: readonly (readonly string[])[],
  output: Output,
  isBad: (index: number) => boolean = () => false,
): string {
  return partsText(rows, output, (line, index) => {
    if (index === 0) return styled('dim', line, output);
    if (index === rows.length - 1) return styled('bold', line, output);
    return isBad(index - 1) ? styled('red', line, output) : line;
  });
}

function speakersText({ speakers }: Report, output: Output): string {
  const rows = speakers.map(({ speaker, wer, words }) => [
    oneLine(speaker),
    percent(wer),
    String(words.tokens),
  ]);
  return tableText(['speaker', 'WER', 'words'], rows, output);
}

function keywordsText({ keywords }: Report, output: Output): string {
  const rows = (keywords?.keywords ?? []).map(({ keyword, said, heard }) => [
    oneLine(keyword),
    String(said),
    String(heard),
  ]);
  return tableText(['keyword', 'said', 'heard'], rows, output);
}

/** Returns a table under its titles; an empty text for no rows. */
function tableText(titles: readonly string[], rows: readonly (readonly string[])[], output: Output): string {
  if (rows.length === 0) return '';
  const [head = '', ...lines] = alignedRows([titles, ...rows]);
  return linesText([styled('dim', head, output), ...lines]);
}

function gateText({ gate, files }: Report, output: Output): string {
  const isRepeated = files.some(({ repeat }) => repeat > 1);
  return linesText(
    gate.checks.map(check => {
      const text = `${subjectText(check, isRepeated)}${oneLine(check.message)}`;
      return check.passed
        ? `${styled('green', '✔', output)} ${text}`
        : check.isInvalid
          ? `${styled('yellow', '!', output)} ${text}`
          : `${styled('red', '✘', output)} ${text}`;
    }),
  );
}

function subjectText({ file, cohort, repeat }: GateCheck, isRepeated: boolean): string {
  if (file === undefined && cohort === undefined) return '';
  return `${oneLine(subjectOf({ file, cohort, ...(isRepeated && { repeat }) }))}: `;
}

function differencesText({ files }: Report, output: Output): string {
  const worst = worstFiles(files).find(({ failure }) => failure === undefined);
  if (!worst) return '';
  const title = `differences of ${oneLine(titlesOf(files)(worst))}, the file with the most`;
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
