import type { FileReport } from '../../../src/replay/measure/fileReport.ts';
import type { Measures } from '../../../src/replay/measure/measures.ts';
import type { Report } from '../../../src/replay/report/report.ts';
import type { AlignedWord } from '../../../src/replay/score/scoreTranscript.ts';

/** Replacements of words of a reference; `null` deletes a word, `+` inserts one. */
export type Edits = Readonly<Record<string, string | null>>;

/** Aligns a text with some errors, with times in proportion to the letters. */
export function alignedText(text: string, edits: Edits, seconds: number): readonly AlignedWord[] {
  const words = text.split(/\s+/).filter(word => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let ts = 0;
  return words.flatMap((reference, index): AlignedWord[] => {
    const endTs = ts + (seconds * (reference.length + 1)) / letters;
    const times = { ts: round(ts), endTs: round(endTs - 0.04) };
    ts = endTs;
    const here = `${reference}@${index}`;
    const edit = edits[here in edits ? here : reference];
    if (edit === null) return [{ type: 'deletion', reference }];
    if (edit === undefined) return [{ type: 'hit', reference, hypothesis: reference, ...times }];
    if (!edit.startsWith('+')) return [{ type: 'substitution', reference, hypothesis: edit, ...times }];
    return [
      { type: 'hit', reference, hypothesis: reference, ...times },
      { type: 'insertion', hypothesis: edit.slice(1), ts: times.endTs, endTs: round(endTs) },
    ];
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function countsOf(alignment: readonly AlignedWord[]) {
  const count = (type: AlignedWord['type']) => alignment.filter(word => word.type === type).length;
  const [hits, substitutions] = [count('hit'), count('substitution')];
  const [deletions, insertions] = [count('deletion'), count('insertion')];
  return { tokens: hits + substitutions + deletions, hits, substitutions, deletions, insertions };
}

function ratesOf(alignment: readonly AlignedWord[]) {
  const words = countsOf(alignment);
  if (words.tokens === 0) return {};
  const wer = (words.substitutions + words.deletions + words.insertions) / words.tokens;
  return { wer, cer: wer / 2, words };
}

/** Measures without a reference and without times. */
export const PLAIN_MEASURES: Measures = {
  wer: null,
  cer: null,
  words: null,
  characters: null,
  werInterval: null,
  speakers: [],
  keywords: null,
  delay: null,
  upwr: 0.04,
  upsr: 0.2,
  coverage: 1,
  coverageSeconds: { final: 20, silence: 2, inaudible: 0, hole: 0, unknown: 0 },
  reconnects: 0,
  attempts: 0,
};

export function fileOf(
  name: string,
  alignment: readonly AlignedWord[],
  more: Partial<FileReport> = {},
): FileReport {
  return {
    ...PLAIN_MEASURES,
    ...ratesOf(alignment),
    name,
    language: 'en',
    rules: 'english-1',
    speed: 1,
    service: 'embedded',
    seconds: 22,
    durationSeconds: 22.5,
    mismatches: [],
    alignment,
    coverageSpans: [],
    ...more,
  };
}

export function reportOf(files: readonly FileReport[], more: Partial<Report> = {}): Report {
  return {
    ...PLAIN_MEASURES,
    ...ratesOf(files.flatMap(({ alignment }) => alignment)),
    report: 'rxscribe',
    version: 1,
    createdAt: '2026-11-21T12:00:00.000Z',
    suite: 'samples',
    rules: ['english-1'],
    machine: { eventLoopP99: 0.005 },
    software: { rxscribe: '0.1.0', node: '24.21.0' },
    files,
    gate: { passed: true, checks: [] },
    ...more,
  };
}
