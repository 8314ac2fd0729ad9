import { meanSegments } from '../score/errorCounts.ts';
import type { MeasuredFile } from './fileReport.ts';
import { type MeasureParts, type Measures, measuresOf } from './measures.ts';
import { byDelayKind } from './quantiles.ts';

/**
 * Returns the measures of many files together: sums of counts, and quantiles of all delays. Streams that failed are
 * left out, because the part that they lack says nothing about the rest.
 *
 * @param seed of the bootstrap
 *
 * @example
 * totalMeasures([], 1).wer; // null
 */
export function totalMeasures(files: readonly MeasuredFile[], seed: number): Measures {
  const well = files.filter(({ report }) => report.failure === undefined);
  const repeats = [...Map.groupBy(well, ({ report }) => report.name).values()];
  const segments = repeats.flatMap(files => meanSegments(files.map(({ parts }) => parts.segments)));
  return measuresOf({ ...sumParts(well.map(({ parts }) => parts)), segments }, seed);
}

/** Adds up the parts of many runs. Speakers and keywords of the same name are combined. */
function sumParts(all: readonly MeasureParts[]): MeasureParts {
  const given = <Name extends keyof MeasureParts>(name: Name) =>
    all.flatMap(parts => (parts[name] === null ? [] : [parts[name] as NonNullable<MeasureParts[Name]>]));
  const [delays, keywords] = [given('delays'), given('keywords')];
  return {
    words: sumOrNull(given('words')),
    characters: sumOrNull(given('characters')),
    segments: given('segments').flat(),
    // In the order of the first occurrence of each name.
    speakers: [...Map.groupBy(given('speakers').flat(), ({ speaker }) => speaker)].map(([speaker, same]) => ({
      speaker,
      words: sumOf(same.map(({ words }) => words)),
    })),
    keywords:
      keywords.length === 0
        ? null
        : [...Map.groupBy(keywords.flat(), ({ keyword }) => keyword)].map(([keyword, same]) => ({
            keyword,
            ...sumOf(same.map(({ said, heard }) => ({ said, heard }))),
          })),
    delays: delays.length === 0 ? null : byDelayKind(kind => delays.flatMap(each => each[kind])),
    stability: given('stability').flat(),
    coverageSeconds: sumOf([
      { final: 0, silence: 0, inaudible: 0, hole: 0, unknown: 0 },
      ...given('coverageSeconds'),
    ]),
    violationsByRule: sumOf(given('violationsByRule')),
    texts: sumOf([{ streams: 0, withText: 0, scored: 0, perfect: 0 }, ...given('texts')]),
    reconnects: given('reconnects').reduce((sum, count) => sum + count, 0),
    attempts: given('attempts').reduce((sum, count) => sum + count, 0),
  };
}

/** Adds up records of numbers by name. */
function sumOf<Sums extends object>(records: readonly Sums[]): Sums {
  const sums: Record<string, number> = {};
  for (const [name, value] of records.flatMap(record => Object.entries(record) as [string, number][])) {
    sums[name] = (sums[name] ?? 0) + value;
  }
  return sums as Sums;
}

function sumOrNull<Sums extends object>(records: readonly Sums[]): Sums | null {
  return records.length > 0 ? sumOf(records) : null;
}
