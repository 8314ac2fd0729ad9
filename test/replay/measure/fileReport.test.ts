import { describe, expect, test } from 'vitest';
import { type FileDetails, fileReport, totalMeasures } from '../../../src/replay/measure/fileReport.ts';
import { ruleSetNamed } from '../../../src/replay/rules/ruleSets.ts';
import type { SessionRun, Timed } from '../../../src/replay/session/sessionRun.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../src/transcript/merge/merge.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';

const RATE = 1000;

/** Returns a run with a final per second; the first word of each was shown as "um" before. */
function runOf(finals: readonly string[], options: Partial<SessionRun> = {}): SessionRun {
  const events: Timed<LiveEvent>[] = finals.flatMap((text, second) => {
    const span = { ts: second, endTs: second + 1 };
    const words = text.split(' ');
    const elements = words.map((value, index) => ({
      type: 'text' as const,
      value,
      ts: second + index / words.length,
      endTs: second + (index + 1) / words.length,
    }));
    const um = { type: 'text' as const, value: 'um' };
    return [
      { atMs: second * 1000 + 900, value: { type: 'partial', ...span, elements: [um] } },
      { atMs: second * 1000 + 1400, value: { type: 'final', ...span, elements } },
    ];
  });
  const seconds = finals.length;
  const audio = Array.from({ length: seconds * 10 }, (_, block) => ({
    atMs: (block + 1) * 100,
    value: { endFrame: (block + 1) * 100 },
  }));
  const live = events.reduce((state, { value }) => mergeEvent(state, value), emptyLiveTranscript);
  return {
    ...{ events, audio, seconds, sampleRate: RATE, startTs: 0, speed: 1, durationMs: seconds * 1000 + 400 },
    statuses: [],
    transcript: live.transcript,
    ...options,
  };
}

const DETAILS: FileDetails = {
  name: 'talk',
  language: 'en',
  service: 'embedded',
  rules: ruleSetNamed('plain-1'),
  keywords: [],
  mismatches: [],
  seed: 1,
};

const saidBy = (...segments: readonly (readonly [string, string])[]) => ({
  kind: 'text',
  segments: segments.map(([speaker, text]) => ({ speaker, text })),
});

describe('the report of a file', () => {
  const reference = saidBy(['Ann', 'one two three'], ['Bob', 'four five six']);
  const run = runOf(['one too three', 'four six']);

  test('has the errors of words and characters, in total and per speaker', () => {
    const { report } = fileReport(run, { ...DETAILS, reference });
    expect(report.words).toEqual({ tokens: 6, hits: 4, substitutions: 1, deletions: 1, insertions: 0 });
    expect(report.wer).toBeCloseTo(2 / 6);
    // "two" and "too" differ by one letter, and "five " is missing.
    expect(report.characters).toEqual({ tokens: 27, errors: 6 });
    expect(report.cer).toBeCloseTo(6 / 27);
    expect(report.speakers).toMatchObject([
      { speaker: 'Ann', wer: 1 / 3 },
      { speaker: 'Bob', wer: 1 / 3 },
    ]);
    expect(report.alignment.map(({ type }) => type)).toEqual([
      'hit',
      'substitution',
      'hit',
      'hit',
      'deletion',
      'hit',
    ]);
  });

  test('distinguishes a reference from a recording', () => {
    expect(fileReport(run, { ...DETAILS, reference }).report.reference).toBe('file');
    const recorded = { ...reference, kind: 'cassette' };
    expect(fileReport(run, { ...DETAILS, reference: recorded }).report.reference).toBe('recording');
    expect(fileReport(run, DETAILS).report.reference).toBeUndefined();
  });

  test('has the recall of the keywords', () => {
    const { report } = fileReport(run, { ...DETAILS, reference, keywords: ['two', 'six', 'nine'] });
    expect(report.keywords).toEqual({
      recall: 0.5,
      keywords: [
        { keyword: 'two', said: 1, heard: 0 },
        { keyword: 'six', said: 1, heard: 1 },
        { keyword: 'nine', said: 0, heard: 0 },
      ],
    });
  });

  test('has delays, stability and coverage without a reference', () => {
    const { report } = fileReport(run, DETAILS);
    expect(report).toMatchObject({ wer: null, cer: null, words: null, keywords: null, speakers: [] });
    expect(report.delay?.final).toMatchObject({ count: 2 });
    expect(report.delay?.final?.p50).toBeCloseTo(0.4);
    expect(report.upwr).toBeCloseTo(2 / 5);
    expect(report.upsr).toBe(1);
    expect(report.coverage).toBe(1);
    expect(report.coverageSeconds!.final).toBe(2);
  });

  test('has no delays when the audio was not in real time', () => {
    expect(fileReport({ ...run, speed: 'max' }, DETAILS).report.delay).toBeNull();
  });

  test('counts reconnects, not attempts', () => {
    const reconnecting = { type: 'reconnecting', attempt: 1, delayMs: 1, error: new Error() } as const;
    const connected = { type: 'connected', id: '1' } as const;
    const reported = [reconnecting, connected, reconnecting, reconnecting, connected];
    const statuses = reported.map(value => ({ atMs: 1, value }));
    expect(fileReport({ ...run, statuses }, DETAILS).report.reconnects).toBe(2);
  });

  test('has the reason of a failure', () => {
    expect(fileReport({ ...run, failure: new Error('no credit') }, DETAILS).report.failure).toBe('no credit');
  });
});

describe('the measures of many files', () => {
  const reference = saidBy(['Ann', 'one two three']);
  const good = fileReport(runOf(['one two three']), { ...DETAILS, reference, keywords: ['two'] });
  const bad = fileReport(runOf(['won', 'so', 'three']), { ...DETAILS, reference, keywords: ['two'] });

  test('of one file are those of the file', () => {
    expect(bad.report).toMatchObject(totalMeasures([bad], DETAILS.seed));
  });

  test('are sums, and quantiles of all samples', () => {
    const total = totalMeasures([good, bad], DETAILS.seed);
    expect(total.words).toEqual({ tokens: 6, hits: 4, substitutions: 2, deletions: 0, insertions: 0 });
    expect(total.wer).toBeCloseTo(1 / 3);
    expect(total.keywords).toEqual({
      recall: 0.5,
      keywords: [{ keyword: 'two', said: 2, heard: 1 }],
    });
    expect(total.speakers).toMatchObject([{ speaker: 'Ann', words: { tokens: 6 } }]);
    expect(total.delay?.final).toMatchObject({ count: 4 });
    expect(total.coverageSeconds!.final).toBe(4);
  });

  test('leave out a stream that failed', () => {
    const failed = fileReport(runOf(['won'], { failure: new Error('cut') }), { ...DETAILS, reference });
    expect(totalMeasures([good, failed], DETAILS.seed)).toEqual(totalMeasures([good], DETAILS.seed));
  });

  test('count words only with a reference', () => {
    const total = totalMeasures([good, fileReport(runOf(['anything']), DETAILS)], DETAILS.seed);
    expect(total.words?.tokens).toBe(3);
    expect(total.coverageSeconds!.final).toBe(2);
  });

  test('of no files are empty', () => {
    expect(totalMeasures([], 1)).toMatchObject({ wer: null, delay: null, coverage: null, reconnects: null });
  });
});
