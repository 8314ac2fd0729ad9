import type { Measures } from '../measure/measures.ts';
import { percent } from './figures.ts';
import { measureColumns, runColumns } from './measureColumns.ts';
import type { Report, ReportTable } from './report.ts';
import { spreadTable } from './spreadTable.ts';

/** Returns the tables of a report besides those of its files and checks, without empty ones. */
export function groupTables(report: Report): readonly ReportTable[] {
  const tables = [cohortTable(report), spreadTable(report), speakersTable(report), keywordsTable(report)];
  return tables.filter(({ rows, last }) => rows.length > 0 || last !== undefined);
}

/** Returns the measures of each cohort; no rows without tags. */
function cohortTable(report: Report): ReportTable {
  const columns = [...measureColumns('perfect'), ...runColumns(report)];
  const rows = (report.cohorts ?? []).map(cohort => [
    cohort.name,
    String(cohort.files),
    ...columns.map(({ text }) => text({ ...cohort, files: report.files })),
  ]);
  const titles = ['Cohort', 'Files', ...columns.map(({ title }) => title)];
  return { title: 'Cohorts', titles, rows, texts: 1 };
}

export function speakersTable({ speakers }: Measures): ReportTable {
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
