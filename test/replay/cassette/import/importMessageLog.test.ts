import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import { CassetteError } from '../../../../src/replay/cassette/cassetteError.ts';
import { importMessageLog } from '../../../../src/replay/cassette/import/importMessageLog.ts';
import { readCassette } from '../../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../../src/replay/cassette/recordedRun.ts';
import { playServer } from '../../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../../src/replay/play/source/playSource.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';

const word = (value: string, ts: number, end_ts: number) => ({ type: 'text', value, ts, end_ts });
const CONNECTED = { type: 'connected', id: 'a' };
const PARTIAL = { type: 'partial', ts: 0.2, end_ts: 0.5, elements: [{ type: 'text', value: 'hello' }] };
const FINAL = {
  type: 'final',
  ts: 0.2,
  end_ts: 1.23,
  elements: [word('Hello', 0.2, 0.5), word('there', 0.6, 1.23)],
};
const OTHER = { type: 'hypothesis', text: 'hi' };
const LOG = [CONNECTED, PARTIAL, OTHER, FINAL];

async function logOf(messages: readonly unknown[]) {
  const directory = await temporaryDirectory();
  const log = join(directory, 'messages.jsonl');
  const textOf = (message: unknown) => (typeof message === 'string' ? message : JSON.stringify(message));
  await writeFile(log, messages.map(message => `${textOf(message)}\n`).join(''));
  return { log, path: join(directory, 'talk.cassette.jsonl') };
}

describe('importMessageLog', () => {
  test('places messages after the audio of their words', { tags: 'tools' }, async () => {
    const { log, path } = await logOf(LOG);
    await importMessageLog({ log, media: SAMPLE, cassette: { path, container: 'flac' } });
    const cassette = await readCassette(path);
    const messages = cassette.lines.filter(line => line.type === 'message');
    expect(messages.map(({ ms, frame }) => ({ ms, frame }))).toEqual([
      { ms: 0, frame: 0 },
      { ms: 500, frame: 8000 },
      { ms: 500, frame: 8000 },
      { ms: 1300, frame: 20_800 },
    ]);
    expect(cassette.header.origin).toBe('message log');
    expect(cassette.audio?.frames).toBe(((await readFile(SAMPLE)).length - 44) / 2);
    const run = recordedRun(cassette);
    expect(run.events.map(({ value }) => value.type)).toEqual(['connected', 'partial', 'final']);
    expect(run).toMatchObject({ speed: 1, sampleRate: 16_000 });
  });

  test('places messages later if their times say so, but never before their words', async () => {
    const { log, path } = await logOf([
      { ms: 10, message: CONNECTED },
      { ms: 20, message: PARTIAL },
      { ms: 2345.5, message: FINAL },
    ]);
    await importMessageLog({ log, media: SAMPLE, cassette: { path } });
    const { lines } = await readCassette(path);
    const messages = lines.filter(line => line.type === 'message');
    expect(messages.map(({ ms, frame }) => ({ ms, frame }))).toEqual([
      { ms: 10, frame: 0 },
      { ms: 500, frame: 8000 },
      { ms: 2345.5, frame: 36_800 },
    ]);
  });

  test('works without audio, with the positions of the words', async () => {
    const { log, path } = await logOf(LOG);
    await importMessageLog({
      log,
      query: { startTs: 0.1, language: 'de', metadata: 'a talk' },
      format: { sampleRate: 8000, channels: 2 },
      cassette: { path },
    });
    const cassette = await readCassette(path);
    expect(cassette.audio).toBeUndefined();
    expect(cassette.lines.filter(line => line.type === 'message').map(({ frame }) => frame)).toEqual([
      0, 3200, 3200, 9040,
    ]);
    expect(cassette.lines[0]).toMatchObject({
      query: {
        start_ts: '0.1',
        language: 'de',
        metadata: 'a talk',
        content_type: expect.stringMatching(/rate=8000.*channels=2/),
      },
    });
  });

  test('makes a cassette that can be played', async () => {
    const { log, path } = await logOf(LOG);
    await importMessageLog({ log, media: SAMPLE, cassette: { path } });
    const cassette = await readCassette(path);
    await using server = await playServer(cassette);
    const { url, token } = server;
    const events = await lastValueFrom(
      playSource(cassette, { server }).pipe(transcribe({ url, token }), toArray()),
    );
    const said = events.filter(({ type }) => type !== 'silence');
    expect(said).toEqual(recordedRun(cassette).events.map(({ value }) => value));
  });

  test.each<[what: string, messages: readonly unknown[], message: RegExp]>([
    ['a line that is no JSON', [CONNECTED, 'said SECRET'], /line 2: expected a message in JSON/],
    ['a line of something else', [CONNECTED, { said: 'SECRET' }], /line 2: expected a message with a type/],
    ['a time that is none', [{ ms: 'SECRET', message: CONNECTED }], /line 1: expected ms/],
    [
      'a clock that goes back',
      [
        { ms: 2, message: CONNECTED },
        { ms: 1, message: FINAL },
      ],
      /line 2: expected a time of 2 ms/,
    ],
    ['nothing of a service', [OTHER], /expected messages of type connected, partial or final/],
    ['nothing', [], /found none/],
  ])('refuses %s', async (_, messages, message) => {
    const { log, path } = await logOf(messages);
    const error = await importMessageLog({ log, cassette: { path } }).catch(thrown => thrown);
    expect(error).toBeInstanceOf(CassetteError);
    expect(error.message).toMatch(message);
    expect(error.message).toContain('Cannot read the message log');
    expect(error.message).not.toContain('SECRET');
  });

  test('keeps existing files, and ends when its signal is aborted', { tags: 'tools' }, async () => {
    const { log, path } = await logOf(LOG);
    await writeFile(path, 'mine');
    await expect(importMessageLog({ log, cassette: { path } })).rejects.toMatchObject({ code: 'store' });
    expect(await readFile(path, 'utf8')).toBe('mine');
    const reason = new Error('enough');
    const options = {
      log,
      media: SAMPLE,
      cassette: { path, overwrite: true },
      signal: AbortSignal.abort(reason),
    };
    await expect(importMessageLog(options)).rejects.toBe(reason);
    await expect(
      importMessageLog({ log, media: log, cassette: { path, overwrite: true } }),
    ).rejects.toMatchObject({ code: 'audio-unsupported' });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(readdirSync(dirname(path)).sort()).toEqual(['messages.jsonl', 'talk.cassette.jsonl']);
  });

  test('leaves no file when its audio cannot be read', { tags: 'tools' }, async () => {
    const { log, path } = await logOf(LOG);
    const noAudio = importMessageLog({ log, media: log, cassette: { path } });
    await expect(noAudio).rejects.toMatchObject({ code: 'audio-unsupported' });
    expect(readdirSync(dirname(path))).toEqual(['messages.jsonl']);
  });
});
