import type { Measures } from '../measure/measures.ts';
import { percent } from './figures.ts';
import { cohortTable } from './measureColumns.ts';
import type { Report } from './report.ts';
import { filledTables, type ReportTable } from './reportTable.ts';
import { spreadTable } from './spreadTable.ts';

/** Returns the tables of a report besides those of its files and checks, without empty ones. */
export function groupTables(report: Report): readonly ReportTable[] {
  return filledTables([
    ...[cohortTable(report), spreadTable(report)],
    ...[speakersTable(report), keywordsTable(report)],
  ]);
}

function speakersTable({ speakers }: Measures): ReportTable {
  const rows = speakers.map(({ speaker, wer, words }) => [
    ...[speaker, percent(wer)],
    ...[words.substitutions, words.deletions, words.insertions, words.tokens].map(String),
  ]);
  return { title: 'Speakers', titles: ['Speaker', 'WER', 'Sub', 'Del', 'Ins', 'Words'], rows, texts: 1 };
}

function keywordsTable({ keywords }: Measures): ReportTable {
  const words = keywords?.keywords ?? [];
  const rows = words.map(({ keyword, said, heard }) => [keyword, String(said), String(heard)]);
  return { title: 'Keywords', titles: ['Keyword', 'Said', 'Heard'], rows, texts: 1 };
}
