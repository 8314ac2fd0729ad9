import { join } from 'node:path';
import { BehaviorSubject, of, Subject, throwError } from 'rxjs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { pausable } from '../../../src/audio/pausable.ts';
import { readSpool } from '../../../src/client/spool/openSpool.ts';
import { splitByQuery } from '../../../src/client/stream/fallback.ts';
import type { QueryChange, TranscribeOptions } from '../../../src/client/stream/options.ts';
import type { StreamStatus } from '../../../src/client/stream/status.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { record } from '../../../src/replay/cassette/record/record.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Service } from '../../../src/service/app.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import type { FaultPlan } from '../../helpers/faultPlan.ts';
import { startFaultProxy } from '../../helpers/faultProxy.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { expectAllWords } from '../../helpers/recoveryCase.ts';
import { scenarioSource } from '../../helpers/scenarioSource.ts';
import { createScriptedRecognizer, type ScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { FLOWING_SPEECH } from '../../helpers/standbyRun.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

/** Blocks of whole words. */
const SPEECH = { ...FLOWING_SPEECH, blockFrames: [1600] };

let clock: VirtualClock;
let recognizer: ScriptedRecognizer;
let service: Service;

beforeEach(async () => {
  clock = new VirtualClock();
  recognizer = createScriptedRecognizer({ languages: ['en', 'de', 'fr'] });
  service = await startTestService({ clock, recognizer });
});

/** Languages of the sessions, in order. */
const languages = () => recognizer.opened.map(({ language }) => language);

interface RunOptions extends Partial<TranscribeOptions> {
  /** Changes of the query, with their time in milliseconds. */
  readonly changes?: readonly (readonly [number, QueryChange])[];
  readonly stream?: (options: TranscribeOptions) => ReturnType<typeof transcribe>;
}

/** Streams the speech live, with changes of the query on the way. */
async function run({ changes = [], stream = transcribe, ...options }: RunOptions = {}) {
  const query$ = new BehaviorSubject<QueryChange>({ language: 'en' });
  const resume = { baseDelayMs: 100, maxDelayMs: 100 };
  const always = { url: service.url, token: TEST_TOKEN, clock, skipPostprocessing: true, resume, query$ };
  const live = stream({ ...always, ...options });
  const statuses: StreamStatus[] = [];
  const events: LiveEvent[] = [];
  live.status$.subscribe(status => statuses.push(status));
  for (const [ms, change] of changes) clock.schedule(ms, () => query$.next(change));
  const end = new Promise<unknown>(resolve => {
    scenarioSource(SPEECH, clock)
      .pipe(live)
      .subscribe({ next: event => events.push(event), error: resolve, complete: () => resolve(undefined) });
  });
  const error = await advanceUntil(clock, 5, end);
  return { events, statuses, error, query$ };
}

/** Times of the finals, in the order in which they came. */
const finalTimes = (events: readonly LiveEvent[]) =>
  events.flatMap(event => (event.type === 'final' ? [event.ts] : []));

describe('a change of the language', () => {
  const CHANGES = [
    [3150, { language: 'de' }],
    [6550, { language: 'fr' }],
    [8250, { language: 'en' }],
  ] as const;

  test('begins another session each time; words and times are those of the source', async () => {
    const timers = clock.pending;
    const { events, statuses, error } = await run({ changes: CHANGES });
    expectAllWords({ events, error }, FLOWING_SPEECH);
    expect(languages()).toEqual(['en', 'de', 'fr', 'en']);
    expect(finalTimes(events)).toEqual(finalTimes(events).toSorted((one, other) => one - other));
    expect(events.filter(({ type }) => type === 'hole')).toEqual([]);
    expect(statuses.map(({ type }) => type).filter(type => type === 'draining' || type === 'closed')).toEqual(
      ['draining', 'closed'],
    );
    const positions = statuses.flatMap(status => (status.type === 'progress' ? [status.sentFrame] : []));
    expect(positions.at(-1)).toBeGreaterThan(11 * 16_000);
    expect(clock.pending).toBeLessThanOrEqual(timers);
  });

  test('keeps the time at which the source begins', async () => {
    const { events } = await run({ changes: CHANGES, startTs: 100 });
    expect(finalWords(events).at(-1)!.endTs).toBe(112);
    expect(finalWords(events)[0]!.ts).toBe(100);
  });

  test('during an outage loses and doubles no word', async () => {
    const plan: FaultPlan = [
      [{ kind: 'cut', after: { bytesUp: 2.5 * 32_000 } }],
      ...new Array<{ kind: 'refuse' }>(20).fill({ kind: 'refuse' }),
    ];
    await using proxy = await startFaultProxy(service, plan, { clock });
    const { events, error } = await run({ changes: CHANGES, url: proxy.url });
    expectAllWords({ events, error }, FLOWING_SPEECH);
    expect(finalTimes(events)).toEqual(finalTimes(events).toSorted((one, other) => one - other));
  });

  test('before any audio, several times, and after the last audio leaves no session behind', async () => {
    const { events, statuses, error } = await run({
      sampleRate: 16_000,
      changes: [
        [0, { language: 'fr' }],
        [0, { language: 'de' }],
        [1450, { language: 'fr' }],
        [1450, { language: 'en' }],
        [11_960, { language: 'fr' }],
      ],
    });
    expectAllWords({ events, error }, FLOWING_SPEECH);
    expect(languages().filter(language => language === 'fr')).toEqual([]);
    expect(statuses.filter(({ type }) => type === 'warning' || type === 'failed')).toEqual([]);
  });

  test('to one that the service refuses goes on with the one before', async () => {
    const { events, statuses, error } = await run({ changes: [[3150, { language: 'xx' }]] });
    expectAllWords({ events, error }, FLOWING_SPEECH);
    expect(languages()).toEqual(['en', 'en']);
    expect(statuses.filter(({ type }) => type === 'warning')).toMatchObject([{ code: 'query-refused' }]);
    expect(statuses.some(({ type }) => type === 'failed')).toBe(false);
  });
});

test('a first query that the service refuses ends the stream', async () => {
  const { error, statuses } = await run({ query$: of({ language: 'xx' }) });
  expect(error).toMatchObject({ name: 'BadRequestError' });
  expect(statuses.at(-1)).toMatchObject({ type: 'failed' });
});

test('an error of the changes ends the stream', async () => {
  const { error } = await run({ query$: throwError(() => new RangeError('no language')) });
  expect(error).toMatchObject({ name: 'RangeError' });
});

test('a pause ends the recognition at once, and begins it again with the next audio', async () => {
  const query$ = new BehaviorSubject<QueryChange>({});
  const paused$ = new BehaviorSubject(false);
  const live = transcribe({
    ...{ url: service.url, token: TEST_TOKEN, clock, query$, skipPostprocessing: true },
    idle: 'close',
  });
  const events: LiveEvent[] = [];
  const end = new Promise<unknown>(resolve => {
    scenarioSource(SPEECH, clock)
      .pipe(pausable({ paused$ }), live)
      .subscribe({ next: event => events.push(event), error: resolve, complete: () => resolve(undefined) });
  });
  clock.schedule(3150, () => {
    paused$.next(true);
    query$.next({});
  });
  let sessionsInPause = -1;
  clock.schedule(3650, () => {
    sessionsInPause = recognizer.openSessions;
  });
  clock.schedule(6450, () => paused$.next(false));
  expect(await advanceUntil(clock, 5, end)).toBeUndefined();
  expect(sessionsInPause).toBe(0);
  const [gap, ...others] = events.filter(({ type }) => type === 'hole');
  expect(gap).toMatchObject({ cause: 'gap', ts: 3.2, endTs: 6.5 });
  expect(others).toEqual([]);
  const times = finalWords(events).map(({ value, ts }) => [Number(value.slice(1)) - 1, Math.round(ts! * 10)]);
  for (const [level, tenth] of times) expect(tenth).toBe(level);
  expect(times.every(([level]) => level! < 30 || level! >= 64)).toBe(true);
  expect(recognizer.opened).toHaveLength(2);
});

test('an idle connection that is closed gives the recogniser back within ten seconds', async () => {
  const audio$ = new Subject<AudioBlock>();
  const live = transcribe({ url: service.url, token: TEST_TOKEN, clock, idle: 'close' });
  const end = new Promise<unknown>(resolve => {
    audio$.pipe(live).subscribe({ error: resolve, complete: () => resolve(undefined) });
  });
  const connected = new Promise<void>(resolve => {
    live.status$.subscribe(({ type }) => type === 'connected' && resolve());
  });
  audio$.next({ startFrame: 0, sampleRate: 16_000, channels: 1, samples: new Float32Array(1600).fill(0.1) });
  await advanceUntil(clock, 5, connected);
  expect(recognizer.openSessions).toBe(1);
  for (let ms = 0; ms < 10_500; ms += 5) await clock.advanceAsync(5);
  expect(recognizer.openSessions).toBe(0);
  audio$.complete();
  expect(await advanceUntil(clock, 5, end)).toBeUndefined();
});

test('a change during a stream that waits for its standby keeps every word', async () => {
  await using proxy = await startFaultProxy(service, [[{ kind: 'cut', after: { bytesUp: 2.5 * 32_000 } }]], {
    clock,
  });
  const standby = { url: service.url, token: TEST_TOKEN, query: { detailedPartials: true } };
  const { events, error } = await run({
    ...{ url: proxy.url, standby },
    changes: [[4850, { language: 'de' }]],
  });
  expectAllWords({ events, error }, FLOWING_SPEECH);
  expect(languages().at(-1)).toBe('de');
});

test('a spool names the language of each part', async () => {
  const path = join(await temporaryDirectory(), 'talk.spool');
  const { error } = await run({ spool: { path, keep: true }, changes: [[4850, { language: 'de' }]] });
  expect(error).toBeUndefined();
  const spool = readSpool(path);
  expect(spool.notes.filter(({ type }) => type === 'query')).toMatchObject([
    { startFrame: 4.9 * 16_000, query: { language: 'de' } },
  ]);
  spool.close();
});

test('the gate is open at the end', async () => {
  const gate = createGate();
  const { error } = await run({ gate, changes: [[3150, { language: 'de' }]] });
  expect(error).toBeUndefined();
  expect(gate.isOpen).toBe(true);
});

test('unsubscribing closes all sessions', async () => {
  const query$ = new BehaviorSubject<QueryChange>({ language: 'en' });
  const live = transcribe({ url: service.url, token: TEST_TOKEN, clock, query$ });
  const subscription = scenarioSource(SPEECH, clock).pipe(live).subscribe();
  for (let ms = 0; ms < 1000; ms += 5) await clock.advanceAsync(5);
  query$.next({ language: 'de' });
  for (let ms = 0; ms < 100; ms += 5) await clock.advanceAsync(5);
  subscription.unsubscribe();
  for (let ms = 0; ms < 1000; ms += 5) await clock.advanceAsync(5);
  expect(recognizer.openSessions).toBe(0);
  expect(query$.observed).toBe(false);
});

test('a record has the queries that were asked for, not the return to the one before a refusal', async () => {
  const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
  const { error } = await run({
    stream: options => record({ ...options, cassette: { path } }),
    changes: [
      [3150, { language: 'xx' }],
      [3150 + 400, { language: 'de' }],
    ],
  });
  expect(error).toBeUndefined();
  const { lines } = await readCassette(path);
  const asked = lines.flatMap(line => (line.type === 'query' ? [line.query.language] : []));
  expect(asked).toEqual(['xx', 'de']);
});

test('a query that is noted late is in force up to the next one', () => {
  const spans = [
    [0, 'en'],
    [10, 'xx'],
    [20, 'de'],
    [10, 'en'],
  ].map(([startFrame, language]) => ({
    startFrame: Number(startFrame),
    query: { language: String(language) },
  }));
  const parts = splitByQuery({ startFrame: 5, endFrame: 25 }, spans);
  expect(parts).toEqual([
    { startFrame: 5, endFrame: 10, query: { language: 'en' } },
    { startFrame: 10, endFrame: 20, query: { language: 'en' } },
    { startFrame: 20, endFrame: 25, query: { language: 'de' } },
  ]);
});
