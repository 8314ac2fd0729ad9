import { describe, expect, test } from 'vitest';
import { spacedTerm } from '../../../src/pages/desk/editor/wordText.ts';
import { readPlaces, withPlace } from '../../../src/pages/desk/place.ts';
import { inQueueOrder, standingOf } from '../../../src/pages/desk/queue/queueRows.ts';
import { addressOf, readScreen } from '../../../src/pages/desk/screen.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../../src/pages/desk/settings.ts';
import { spokenSpan } from '../../../src/pages/desk/work/spoken.ts';
import { languageName } from '../../../src/pages/texts.ts';
import { clockText, dueText, lengthText } from '../../../src/pages/times.ts';
import type { DeskJobJson, DeskTurn } from '../../../src/protocol/desk.ts';

const HOUR = 3_600_000;

describe('times', () => {
  test('of audio', () => {
    expect([0, 65.9, 3661].map(seconds => clockText(seconds))).toEqual(['0:00', '1:05', '1:01:01']);
    const tenths = [0, 59.96, 3661.25].map(seconds => clockText(seconds, { tenths: true }));
    expect(tenths).toEqual(['0:00.0', '0:59.9', '1:01:01.2']);
  });

  test('of turns', () => {
    const texts = [0, 65.9, 3661].map(seconds => clockText(seconds, { hours: true }));
    expect(texts).toEqual(['0:00:00', '0:01:05', '1:01:01']);
  });

  test('of work', () => {
    const lengths = [0, 90_000, HOUR, 25 * HOUR, 30 * 24 * HOUR].map(lengthText);
    expect(lengths).toEqual(['1 min', '1 min', '1 h', '1 d 1 h', '30 d']);
    expect(dueText(11 * HOUR, 23 * HOUR, 0)).toBe('in 11 h to 23 h');
    expect(dueText(12 * HOUR - 30_000, 24 * HOUR - 30_000, 0)).toBe('in 12 h to 24 h');
    expect(dueText(-HOUR, 2.5 * HOUR, 0)).toBe('within 2 h 30 min');
    expect(dueText(-5 * HOUR, -2 * HOUR, 0)).toBe('2 h late');
  });
});

describe('the queue', () => {
  const job = (id: string, changes: Partial<DeskJobJson> = {}): DeskJobJson => ({
    id,
    created_on: '2026-01-01T00:00:00Z',
    rush: false,
    language: 'en',
    duration_seconds: 60,
    wanted_seconds: 60,
    due_from: '2026-01-01T12:00:00Z',
    due_until: '2026-01-02T00:00:00Z',
    is_begun: false,
    ...changes,
  });
  const now = Date.parse('2026-01-01T01:00:00Z');
  const until = { claimed_until: '2026-01-01T01:02:00Z' };

  test('begins with jobs of this person, then rush, then age', () => {
    const jobs = [
      job('new', { created_on: '2026-01-01T00:30:00Z' }),
      job('old'),
      job('mine', { claimed_by: 'ann', ...until, created_on: '2026-01-01T00:50:00Z' }),
      job('rush', { rush: true, created_on: '2026-01-01T00:40:00Z' }),
    ];
    expect(inQueueOrder(jobs, 'ann', now).map(({ id }) => id)).toEqual(['mine', 'rush', 'old', 'new']);
  });

  test('knows whose a job is', () => {
    const claimed = job('a', { claimed_by: 'ann', ...until });
    expect(standingOf(claimed, 'ann', now)).toBe('mine');
    expect(standingOf(claimed, 'bob', now)).toBe('taken');
    expect(standingOf(claimed, 'bob', now + HOUR)).toBe('free');
    expect(standingOf(job('b'), 'bob', now)).toBe('free');
  });

  test('names languages', () => {
    expect(['en', 'ar', 'not a language'].map(tag => languageName(tag))).toEqual([
      'English',
      'Arabic',
      'not a language',
    ]);
  });
});

describe('terms', () => {
  test('have the spaces that they need', () => {
    const around = [
      ['x', 'y'],
      [',', ' '],
      [' ', '.'],
      ['', ''],
      ['(', ')'],
      ['\n', ' '],
    ] as const;
    const spaced = around.map(([before, after]) => spacedTerm('Ada', before, after));
    expect(spaced).toEqual([' Ada ', ' Ada', 'Ada', 'Ada', 'Ada', 'Ada']);
  });
});

describe('what is spoken', () => {
  const turns: DeskTurn[] = [
    {
      speaker: 0,
      text: 'one two',
      words: [
        [0, 3, 1, 1.5],
        [4, 7, 2, 2.5],
      ],
    },
    { speaker: 1, text: 'three', words: [[0, 5, 4, 5]] },
  ];

  test('in a part of the text has a time', () => {
    expect(spokenSpan(turns, 0, Number.POSITIVE_INFINITY)).toEqual({ start: 1, end: 5.2 });
    expect(spokenSpan(turns, 4, 7)).toEqual({ start: 2, end: 2.7 });
    expect(spokenSpan(turns, 5, 9)).toEqual({ start: 2, end: 5.2 });
    expect(spokenSpan(turns, 3, 4)).toBeUndefined();
    expect(spokenSpan([], 0, 9)).toBeUndefined();
  });
});

describe('what is stored', () => {
  test('of places, is read again for the latest jobs', () => {
    const place = { at: 12.5, speed: 1.2, cursor: 7, top: 3 };
    let places = {};
    for (let n = 0; n < 40; n++) places = withPlace(places, `job${n}`, place);
    expect(Object.keys(readPlaces(JSON.stringify(places)))).toHaveLength(30);
    const stored = { a: place, b: { at: -1 }, c: null, d: { ...place, speed: 9 } };
    expect(readPlaces(JSON.stringify(stored))).toEqual({ a: place });
    expect(readPlaces('[')).toEqual({});
  });

  test('of settings, is read again, and as by default where it cannot be', () => {
    const chosen = { ...DEFAULT_SETTINGS, theme: 'light', jump: 5, follow: false, click: 'ctrl' };
    expect(readSettings(JSON.stringify(chosen))).toEqual(chosen);
    const hostile = { theme: 'toString', jump: 1e9, follow: 'yes', click: 7, fontSize: null, more: 1 };
    expect(readSettings(JSON.stringify(hostile))).toEqual(DEFAULT_SETTINGS);
    expect(readSettings('')).toEqual(DEFAULT_SETTINGS);
  });

  test('of screens in the address, is read again', () => {
    for (const screen of [{ name: 'queue' }, { name: 'admin' }, { name: 'job', jobId: 'a/b c' }] as const) {
      expect(readScreen(addressOf(screen))).toEqual(screen);
    }
    expect(readScreen('#/jobs/%')).toEqual({ name: 'job', jobId: '%' });
    expect(readScreen('#/jobs/<script>')).toEqual({ name: 'queue' });
  });
});
