import { Readable } from 'node:stream';
import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { namedOptions } from '../../src/base/namedOptions.ts';
import * as captions from '../../src/captions.ts';
import * as toolkit from '../../src/index.ts';
import * as server from '../../src/server.ts';

// As a program in plain JavaScript, which no compiler checks.
interface Callable {
  (...given: readonly unknown[]): unknown;
  new (...given: readonly unknown[]): unknown;
}
const names = { ...toolkit, ...captions, ...server } as unknown as Record<string, Callable>;
const client = () => toolkit.createClient(ACCESS);
const ACCESS = { url: 'http://127.0.0.1:1', token: 'secret' };
const output = { name: 'none', take() {} };

/** Calls of public functions with their options. */
const CALLS: readonly (readonly [name: string, call: (options?: unknown) => unknown, options: object])[] = [
  ['live', options => names.live!('talk.wav', options), ACCESS],
  ['transcribe', options => names.transcribe!(options), ACCESS],
  ['createClient', options => names.createClient!(options), ACCESS],
  ['pausable', options => names.pausable!(options), { paused$: of(false) }],
  ['operatorRoutes', options => names.operatorRoutes!([], options), { token: 'secret'.repeat(8) }],
  ['OutputFeed', options => new names.OutputFeed!(options), { output }],
  ['CaptionRoom', options => new names.CaptionRoom!(options), { tracks: [], language: 'en' }],
  ['hlsOutput', options => names.hlsOutput!(options), { directory: 'hls', video: 'video.m3u8' }],
  ['obsOutput', options => names.obsOutput!(options), { url: 'ws://127.0.0.1:1', source: 'text' }],
  ['openCaptionPage', options => names.openCaptionPage!(options), { port: 0 }],
  ['youtubeOutput', options => names.youtubeOutput!(options), { address: 'http://127.0.0.1:1/?cid=1' }],
  ['zoomOutput', options => names.zoomOutput!(options), { address: 'http://127.0.0.1:1/?id=1' }],
  ['textHook', options => names.textHook!(options), { target: 'cat' }],
  ['liveCues', options => names.liveCues!(options), { spokenAtMs: () => 0 }],
  ['createService', options => names.createService!(options), { recognizer: {} }],
  ['createSherpaRecognizer', options => names.createSherpaRecognizer!(options), { model: {} }],
];

/** Returns the error of a call, thrown or as a rejection. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each(CALLS)('%s() of plain JavaScript', (_, call, options) => {
  test.each([undefined, null, 'secret'])('refuses %s as its options', async given => {
    const error = await errorOf(() => call(given));
    expect(error).toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining('must be an object'),
    });
    expect(String(error)).not.toContain('secret');
  });

  test('names a required option that is not set', async () => {
    for (const name of Object.keys(options).filter(name => name !== 'source')) {
      expect(await errorOf(() => call({ ...options, [name]: undefined }))).toMatchObject({
        code: 'invalid-argument',
        message: `Option '${name}' must be set, not undefined.`,
      });
    }
  });

  test('suggests the name of a misspelt option', async () => {
    const [name] = Object.keys(options);
    const misspelt = `${name!.slice(0, 2)}x${name!.slice(2)}`;
    expect(await errorOf(() => call({ [misspelt]: 1 }))).toMatchObject({
      code: 'invalid-argument',
      message: `Unknown option '${misspelt}'. Did you mean '${name}'?`,
    });
  });
});

test.each([
  ['fromFile', () => names.fromFile!('a.wav', { onWarnin: console.log }), 'onWarning'],
  ['fromReadable', () => names.fromReadable!(Readable.from([]), { formt: {} }), 'format'],
  ['fromLiveAddress', () => names.fromLiveAddress!('http://127.0.0.1:1', { opnMs: 1 }), 'openMs'],
  ['microphone', () => names.microphone!({ devise: 'x' }), 'device'],
  ['pace', () => names.pace!({ sped: 2 }), 'speed'],
  ['resample', () => names.resample!({ samplerate: 8000 }), 'sampleRate'],
  ['asyncFallback', () => names.asyncFallback!({ marginSecond: 1 }), 'marginSeconds'],
  ['liveCaptions', () => names.liveCaptions!({ colums: 2 }), 'columns'],
  ['captionCues', () => names.captionCues!({ monologues: [] }, { langage: 'de' }), 'language'],
  ['writePlainText', () => names.writePlainText!({ monologues: [] }, { tmes: 'mm:ss' }), 'times'],
  ['writeTtml', () => names.writeTtml!([], { languge: 'de' }), 'language'],
  ['writeScc', () => names.writeScc!([], { dropframe: false }), 'dropFrame'],
  ['fileOutput', () => names.fileOutput!(['a.srt'], { profil: {} }), 'profile'],
  ['captionSteps', () => names.captionSteps!({ clearAfterMS: 1 }), 'clearAfterMs'],
  ['transcribe, in its query', () => names.transcribe!({ ...ACCESS, languge: 'de' }), 'language'],
  [
    'transcribe, in standby',
    () => names.transcribe!({ ...ACCESS, standby: { ...ACCESS, tokn: 'a' } }),
    'standby.token',
  ],
  [
    'transcribe, in the query of standby',
    () => names.transcribe!({ ...ACCESS, standby: { ...ACCESS, query: { languge: 'de' } } }),
    'standby.query.language',
  ],
  [
    'transcribe, in resume',
    () => names.transcribe!({ ...ACCESS, resume: { maxDelay: 1 } }),
    'resume.maxDelayMs',
  ],
  ['submit', () => client().transcription.submit({ path: 'a.wav' }, { languge: 'de' } as never), 'language'],
  ['waitFor', () => client().transcription.waitFor('id', { timeoutMS: 1 } as never), 'timeoutMs'],
  ['createStreamToken', () => client().createStreamToken({ maxSesions: 1 } as never), 'maxSessions'],
  ['createNotificationReceiver', () => names.createNotificationReceiver!({ publicURI: 'x' }), 'publicUrl'],
  ['createMoonshineRecognizer', () => names.createMoonshineRecognizer!({ runtme: 'wasm' }), 'runtime'],
  ['createFixedAccount', () => names.createFixedAccount!('token', { balanceSecs: 1 }), 'balanceSeconds'],
])('%s refuses a misspelt option', async (_, call, meant) => {
  expect(await errorOf(call)).toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining(`Did you mean '${meant}'?`),
  });
});

test.each([
  ['media', () => client().transcription.submit('talk.wav' as never), 'The media must be an object'],
  [
    'the words to align',
    () => client().alignment.submit({ path: 'a.wav' }, undefined as never),
    "Option 'text' must be set",
  ],
  ['the token of an account', () => names.createFixedAccount!(undefined), 'The access token must'],
])('a function names %s that it lacks', async (_, call, message) => {
  expect(await errorOf(call)).toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining(message),
  });
});

test('options for something else, and misspelt ones without a value, are no error', () => {
  const options = { ...ACCESS, id: 7, name: 'one', tokn: undefined };
  expect(namedOptions('ClientOptions', options)).toBe(options);
});
