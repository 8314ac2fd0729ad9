import { describe, expect, test } from 'vitest';
import { STREAM_DEFAULTS, type TranscribeOptions } from '../../../src/client/stream/options.ts';
import { streamSettings } from '../../../src/client/stream/settings.ts';
import { timeoutsAfter } from '../../../src/client/stream/timeouts.ts';
import { nodePlatform, transcribe } from '../../../src/client/stream/transcribe.ts';

const options = { url: 'http://127.0.0.1:1', token: 'token' };

/** The settings of options in Node. */
const settingsOf = (given: TranscribeOptions) => streamSettings(given, nodePlatform);

/** As who writes JavaScript may give it. */
const given = (more: object) => ({ ...options, ...more }) as unknown as TranscribeOptions;

describe('an option that cannot be used is refused at once', () => {
  test.each([
    ['speed', { catchUp: { speed: 1 } }],
    ['speed', { catchUp: { speed: Number.NaN } }],
    ['burstSeconds', { catchUp: { burstSeconds: 0 } }],
    ['baseDelayMs', { resume: { baseDelayMs: -1 } }],
    ['maxDelayMs', { resume: { maxDelayMs: 0 } }],
    ['firstConnectionSeconds', { resume: { firstConnectionSeconds: Number.NaN } }],
    ['giveUpAfterSeconds', { resume: { giveUpAfterSeconds: -5 } }],
    ['sessionSeconds', { sessionSeconds: Number.NaN }],
    ['memorySeconds', { memorySeconds: -1 }],
    ['maxBufferedSeconds', { maxBufferedSeconds: 0 }],
    ['readyTimeoutMs', { readyTimeoutMs: -1 }],
    ['pongTimeoutMs', { pongTimeoutMs: Number.NaN }],
    ['idle', { idle: 'sleep' }],
    ['overflow', { overflow: 'drop' }],
    ['fallback', { overflow: 'asyncOnly' }],
    ['channelStreams', { channelStreams: 'each' }],
  ])('%s: %o', (name, more) => {
    const refusal = expect.objectContaining({
      code: 'invalid-argument',
      message: expect.stringContaining(name),
    });
    expect(() => transcribe(given(more))).toThrow(refusal);
    expect(() => transcribe(given({ channelStreams: 'apart', ...more }))).toThrow(refusal);
  });
});

test('undefined means the default, in every option', () => {
  const names = Object.keys(STREAM_DEFAULTS).filter(name => name !== 'readyMarginMs');
  const undefinedOf = (list: readonly string[]) => Object.fromEntries(list.map(name => [name, undefined]));
  const nothing = {
    ...undefinedOf(names),
    ...undefinedOf(['sampleRate', 'gate', 'spool', 'fallback', 'readyTimeoutMs', 'channelStreams', 'clock']),
  };
  const inner = {
    resume: undefinedOf(Object.keys(STREAM_DEFAULTS.resume)),
    catchUp: undefinedOf(Object.keys(STREAM_DEFAULTS.catchUp)),
  };
  const defaults = settingsOf(options);
  expect(settingsOf(given(nothing))).toEqual(defaults);
  expect(settingsOf(given({ ...nothing, ...inner }))).toEqual(defaults);
  expect(defaults.resume).toEqual(STREAM_DEFAULTS.resume);
  expect(defaults.catchUp).toEqual(STREAM_DEFAULTS.catchUp);
  expect(timeoutsAfter(0, defaults.timeouts)).toMatchObject({
    readyTimeoutMs: 70_000,
    pongTimeoutMs: STREAM_DEFAULTS.pongTimeoutMs,
  });
});

test('a standby has short timeouts, which double with each failure after the first, unless they are set', () => {
  const standby = { url: 'http://localhost:2', token: 'other' };
  const settings = settingsOf({ url: 'http://localhost:1', token: 'token', standby });
  const short = { connectTimeoutMs: 1000, pingIntervalMs: 1000, pongTimeoutMs: 1000 };
  for (const failures of [0, 1]) expect(timeoutsAfter(failures, settings.timeouts)).toMatchObject(short);
  expect(timeoutsAfter(2, settings.timeouts)).toMatchObject({
    ...short,
    connectTimeoutMs: 2000,
    pongTimeoutMs: 2000,
  });
  // A service may be starting.
  expect(timeoutsAfter(undefined, settings.timeouts).connectTimeoutMs).toBe(4000);
  expect(timeoutsAfter(99, settings.timeouts)).toEqual({
    ...settings.timeouts.usual,
    readyTimeoutMs: 70_000,
    pingIntervalMs: 1000,
  });
  const set = settingsOf({ url: 'http://localhost:1', token: 'token', standby, pongTimeoutMs: 5000 });
  expect(timeoutsAfter(0, set.timeouts).pongTimeoutMs).toBe(5000);
  const alone = settingsOf({ url: 'http://localhost:1', token: 'token' });
  expect(timeoutsAfter(3, alone.timeouts)).toMatchObject({ ...alone.timeouts.usual, readyTimeoutMs: 70_000 });
});

test.each(['', undefined, ['http://localhost', '']])('names the address that is %j', url => {
  const options = { url: url as string, token: 'token' };
  expect(() => settingsOf(options)).toThrow(/ 'url' must be .*, not (empty|undefined)\.$/);
});

test.each([
  [{ standby: { url: 'nowhere', token: 't' } }, 'absolute URL'],
  [{ standby: { url: 'http://localhost', token: 't' }, resume: false as const }, "'resume'"],
])('rejects a standby that cannot be used (%#)', (options, words) => {
  expect(() => settingsOf({ url: 'http://localhost', token: 'token', ...options })).toThrow(words);
});
