import { describe, expect, test } from 'vitest';
import '../../../src/vitest.ts';
import type { SessionRun, Timed } from '../../../src/replay/session/sessionRun.ts';
import type { ReplayMatchers } from '../../../src/replay/vitest/replayMatchers.ts';
import { CAPTION_PROFILES } from '../../../src/transcript/cues/captionProfile.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { scriptedRun } from './scriptedRun.ts';

const SPEECH = [4, 7, 0, 0, 0, 9, 9];

const word = (value: string, ts: number) => ({ type: 'text' as const, value, ts, endTs: ts + 0.5 });
const at = (atMs: number, value: LiveEvent): Timed<LiveEvent> => ({ atMs, value });

/** Returns a run of two seconds in real time, in which "a" is replaced by "the", and the final comes at 1.9 s. */
const corrected: SessionRun = {
  events: [
    at(600, { type: 'partial', ts: 0, endTs: 0.5, elements: [word('a', 0)] }),
    at(1900, { type: 'final', ts: 0, endTs: 1, elements: [word('the', 0), word('cat', 0.5)] }),
  ],
  statuses: [],
  transcript: {
    monologues: [{ speaker: 0, elements: [word('the', 0), word('cat', 0.5)] }],
    coverage: [
      { ts: 0, endTs: 1, kind: 'final', provenance: 'live' },
      { ts: 1, endTs: 1.5, kind: 'hole', cause: 'dropped' },
    ],
  },
  audio: [
    { atMs: 1000, value: { endFrame: 16_000 } },
    { atMs: 2000, value: { endFrame: 32_000 } },
  ],
  sampleRate: 16_000,
  seconds: 2,
  startTs: 0,
  speed: 1,
  durationMs: 2000,
};

describe('a run of a real service', () => {
  test('is stable and covers its audio', async () => {
    const run = await scriptedRun(SPEECH);
    expect(run).toBeStable();
    expect(run).toBeStable({ upwr: 0, upsr: 0 });
    expect(run).toCover();
    expect(run).not.toBeStable({ upwr: -1 });
  });

  test('has delays below a minute in real time', async () => {
    const run = await scriptedRun(SPEECH, 1);
    expect(run).toHaveDelayBelow(60);
    expect(run).toHaveDelayBelow(60, { of: 'firstPartial', quantile: 'max' });
    expect(run).toHaveDelayBelow(60, { of: 'word', quantile: 'p50' });
    expect(run).not.toHaveDelayBelow(-60);
  });

  test('has no delays at maximum speed', async () => {
    const run = await scriptedRun(SPEECH);
    expect(() => expect(run).toHaveDelayBelow(60)).toThrow(
      "toHaveDelayBelow() requires a run in real time, not at speed 'max'.",
    );
    expect(() => expect(run).not.toHaveDelayBelow(60)).toThrow("not at speed 'max'");
  });
});

describe('a run that failed', () => {
  const failed: SessionRun = { ...corrected, events: [], failure: new Error('close code 4013') };

  test.each<[string, (failing: ReplayMatchers<unknown>) => unknown]>([
    ['toBeStable', failing => failing.toBeStable()],
    ['toCover', failing => failing.toCover(0)],
    ['toHaveDelayBelow', failing => failing.toHaveDelayBelow(60)],
    ['toKeepCaptionRules', failing => failing.toKeepCaptionRules()],
    ['toMatchTranscript', failing => failing.toMatchTranscript('the cat')],
    ['toHaveWerBelow', failing => failing.toHaveWerBelow(2, 'the cat')],
    ['toHaveCerBelow', failing => failing.toHaveCerBelow(2, 'the cat')],
  ])('has no result for %s, which names the failure', (matcher, check) => {
    const message = `${matcher}() requires the result of a run, but the run failed: close code 4013`;
    expect(() => check(expect(failed))).toThrow(message);
    expect(() => check(expect(failed).not)).toThrow(message);
  });

  test('without audio covers nothing', () => {
    const empty = { ...corrected, audio: [], seconds: 0, transcript: { monologues: [] } };
    expect(() => expect(empty).toCover()).toThrow('but it has no audio');
  });
});

describe('a message has the expectation and the finding', () => {
  test.each([
    [
      'of stability',
      () => expect(corrected).toBeStable(),
      'expected partials to be stable (UPWR at most 0), but UPWR is 0.5 (1 word taken back for 2 that stayed), UPSR 1 (in 1 of 1 segment)',
    ],
    [
      'of stability that was not wanted',
      () => expect(corrected).not.toBeStable({ upwr: 0.5, upsr: 1 }),
      'expected partials not to be stable (UPWR at most 0.5, UPSR at most 1), but UPWR is 0.5',
    ],
    ['of segments alone', () => expect(corrected).toBeStable({ upsr: 0.9 }), 'UPSR at most 0.9), but'],
    [
      'of coverage, with the holes',
      () => expect(corrected).toCover(0.75),
      'expected a run of 2 s to cover 0.75 of its audio, but it covers 0.5: 1 s final, 0 s silence, 0 s inaudible, 0.5 s hole, 0.5 s unknown\n\nhole from 1 s to 1.5 s (dropped)',
    ],
    [
      'of coverage that was not wanted',
      () => expect(corrected).not.toCover(0.5),
      'expected a run of 2 s not to cover 0.5 of its audio, but it covers 0.5',
    ],
    [
      'of finals',
      () => expect(corrected).toHaveDelayBelow(0.9),
      'expected the delay of finals (p95) to be below 0.9 s, but it is 0.9 s: p50 0.9 s, p95 0.9 s, max 0.9 s of 1',
    ],
    [
      'of first partials',
      () => expect(corrected).not.toHaveDelayBelow(0.2, { of: 'firstPartial' }),
      'expected the delay of first partials (p95) not to be below 0.2 s, but it is 0.1 s',
    ],
    [
      'of words',
      () => expect(corrected).toHaveDelayBelow(1, { of: 'word', quantile: 'max' }),
      'expected the delay of words (max) to be below 1 s, but it is 1.4 s',
    ],
    [
      'of silence',
      () => expect({ ...corrected, events: [] }).toHaveDelayBelow(1),
      'but no result has a known time',
    ],
    [
      'of something else',
      () => expect({ transcript: corrected.transcript }).toCover(),
      'toCover() requires a run of observeSession(), not an object with transcript.',
    ],
    [
      'of stability below nothing',
      () => expect(corrected).toBeStable({ upwr: Number.NaN }),
      'The limit of toBeStable() must be a number, not NaN.',
    ],
    ['of nothing', () => expect(undefined).toBeStable(), 'toBeStable() requires a run of observeSession()'],
  ])('%s', (_, assertion, message) => {
    expect(assertion).toThrow(message);
  });
});

describe('captions', () => {
  const elements = 'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((value, index) => ({ type: 'text' as const, value, ts: index / 20, endTs: (index + 1) / 20 }));

  test('follow the rules when they are readable', () => {
    expect({
      monologues: [{ speaker: 0, elements: [word('hello', 0), word('there', 1)] }],
    }).toKeepCaptionRules();
    expect(corrected).toKeepCaptionRules('bbc');
  });

  test('are laid out by the rules of their language', () => {
    const text = 'nobody at all saw the riverbanks flooding';
    const words = text
      .split(' ')
      .map((value, index) => ({ ...word(value, index / 10), endTs: index / 10 + 0.1 }));
    const unreadable = { ...CAPTION_PROFILES.netflix.speed, most: 1 };
    const profile = { ...CAPTION_PROFILES.netflix, columns: 24, speed: unreadable };
    const transcript = { monologues: [{ speaker: 0, elements: words }] };
    const shown = (language: string) => () => expect(transcript).toKeepCaptionRules(profile, { language });
    expect(shown('en')).toThrow('saw / the');
    expect(shown('de')).toThrow('saw the / riverbanks');
  });

  test('with an unknown profile are an error that lists the known ones', () => {
    expect(() => expect(corrected).toKeepCaptionRules('nope' as 'bbc')).toThrow(
      "Caption profile 'nope' is not known (known: netflix, bbc, dcmp, ted, cea608).",
    );
  });

  test('that are unreadable are listed', () => {
    const next = { type: 'text' as const, value: 'next', ts: 0.61, endTs: 2.5 };
    const fast = {
      monologues: [
        { speaker: 0, elements },
        { speaker: 1, elements: [next] },
      ],
    };
    expect(() => expect(fast).toKeepCaptionRules('netflix')).toThrow(
      /^expected captions to keep the rules of netflix, but there (?:is 1 violation|are \d+ violations)\n\n(.*\n)*.*speed.*: 0 s to 0\.\d+ s "one two/,
    );
    expect(() => expect(fast).toKeepCaptionRules({ ...CAPTION_PROFILES.ted, columns: 80 })).toThrow(
      'the rules of the profile',
    );
    expect(() => expect(corrected).not.toKeepCaptionRules()).toThrow(
      'expected captions not to keep the rules of netflix, but there are 0 violations',
    );
  });
});
