import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { concat, EMPTY, from, lastValueFrom, NEVER, Subject, take, throwError } from 'rxjs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AudioBlock, SampleFormat } from '../../../../src/audio/format/format.ts';
import { encodePcm } from '../../../../src/audio/pcm/pcm.ts';
import { writeWav } from '../../../../src/audio/pcm/wav.ts';
import { fileBlocks } from '../../../../src/audio/source/file.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import type { CassetteLine } from '../../../../src/replay/cassette/cassette.ts';
import { messageText } from '../../../../src/replay/cassette/cassetteLines.ts';
import { rawSamples } from '../../../../src/replay/cassette/read/cassetteAudio.ts';
import { readCassette } from '../../../../src/replay/cassette/read/readCassette.ts';
import { record } from '../../../../src/replay/cassette/record/record.ts';
import type { RecordOptions, RecordPlaces } from '../../../../src/replay/cassette/record/recordOptions.ts';
import {
  SessionRecorder,
  type SessionRecorderOptions,
} from '../../../../src/replay/cassette/record/sessionRecorder.ts';
import { recordedRun } from '../../../../src/replay/cassette/recordedRun.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../../src/transcript/merge/merge.ts';
import type { LiveEvent } from '../../../../src/transcript/model/events.ts';
import { withoutText } from '../../../../src/transcript/model/eventText.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { httpServer } from '../../../helpers/loopbackServer.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  polite,
  startStreamService,
} from '../../../helpers/streamService.ts';
import { startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';
import { recordFrom, recordSpeech, SPEECH, speechBlocks } from '../recordings.ts';

const TOKEN = 'open-sesame-"and"-more';

const ofType = <Type extends CassetteLine['type']>(lines: readonly CassetteLine[], type: Type) =>
  lines.filter((line): line is Extract<CassetteLine, { type: Type }> => line.type === type);

/** Contents of files by name. */
async function filesOf(directory: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = readdirSync(directory).sort();
  return new Map(
    await Promise.all(names.map(async name => [name, await readFile(join(directory, name))] as const)),
  );
}

async function samplesOf(path: string): Promise<Buffer> {
  const { audio } = await readCassette(path);
  const container = audio!.path?.endsWith('.flac') ? 'flac' : 'wav';
  const pieces: Uint8Array[] = [];
  const file = { container, bytes: audio!.bytes } as const;
  for await (const piece of rawSamples(file, audio!.format, new AbortController().signal)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns the recorder of a session, which must not fail to write. */
function recorderTo(places: RecordPlaces, more: Partial<SessionRecorderOptions> = {}): SessionRecorder {
  return new SessionRecorder({
    ...{ places, sampleFormat: 'S16LE', clock: systemClock },
    hide: text => text,
    onError: error => expect(error).toBeUndefined(),
    ...more,
  });
}

describe('record', () => {
  afterEach(() => void vi.unstubAllEnvs());

  test('records all traffic on the wire, in order, and the emitted events', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const events = await recordSpeech(path, { metadata: 'a talk', language: 'en' });
    const { header, lines, end, audio } = await readCassette(path);
    expect(header).toMatchObject({ version: 1, software: { node: process.versions.node } });
    expect(ofType(lines, 'connect')).toMatchObject([
      {
        connection: 0,
        frame: 0,
        query: { metadata: 'a talk', content_type: expect.stringContaining('rate=16000') },
      },
    ]);
    expect(ofType(lines, 'send').reduce((frames, line) => frames + line.frames, 0)).toBe(SPEECH.length);
    expect(ofType(lines, 'send_text')).toMatchObject([{ text: 'EOS', frame: SPEECH.length }]);
    expect(ofType(lines, 'close')).toMatchObject([{ by: 'service', code: 1000 }]);
    expect(ofType(lines, 'block').map(line => line.frame)).toEqual(
      speechBlocks().map(block => block.startFrame + block.samples.length),
    );
    expect(ofType(lines, 'message').every(line => line.heard === undefined && line.message)).toBe(true);
    expect(ofType(lines, 'status').map(line => line.status.type)).toEqual(
      expect.arrayContaining(['connecting', 'open', 'connected', 'draining', 'closed']),
    );
    expect(end).toMatchObject({
      frames: SPEECH.length,
      audio: { container: 'wav', file: 'talk.cassette.wav' },
    });
    expect(audio).toMatchObject({ frames: SPEECH.length, gaps: [] });
    const run = recordedRun({ lines, end: end! });
    expect(run.events.map(({ value }) => value)).toEqual(events);
    expect(run.transcript).toEqual(events.reduce(mergeEvent, emptyLiveTranscript).transcript);
    const statuses = run.statuses.filter(({ value }) => value.type !== 'progress');
    expect(statuses.at(-1)?.value).toMatchObject({ type: 'closed', code: 1000 });
    expect(run).toMatchObject({ sampleRate: 16_000, seconds: SPEECH.length / 16_000, startTs: 0 });
    expect(events.filter(({ type }) => type === 'final').length).toBe(2);
  });

  test('writes the audio unchanged into a file for any player', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    await recordSpeech(path);
    const blocks: AudioBlock[] = [];
    const options = {
      signal: new AbortController().signal,
      onWarning: (warning: unknown) => expect(warning).toBe(0),
    };
    for await (const block of fileBlocks(join(directory, 'talk.cassette.wav'), options)) blocks.push(block);
    expect(Buffer.concat(blocks.map(block => encodePcm(block.samples, 'S16LE')))).toEqual(
      Buffer.from(SPEECH.buffer),
    );
  });

  const formats: readonly SampleFormat[] = [
    'S16LE',
    'S16BE',
    'S24LE',
    'S32LE',
    'F32LE',
    'U8',
    'MULAW',
    'ALAW',
  ];
  const NOT_IN_FLAC: readonly SampleFormat[] = ['S32LE', 'F32LE'];
  const keepings = (container: 'wav' | 'flac') =>
    formats
      .filter(format => container === 'wav' || !NOT_IN_FLAC.includes(format))
      .flatMap(format => [[format, container, 'beside'] as const, [format, container, 'inside'] as const]);
  test.each(keepings('wav'))('keeps %s as %s %s, bit by bit', keepToTheBit);
  test.each(keepings('flac'))('keeps %s as %s %s, bit by bit', { tags: 'tools' }, keepToTheBit);

  async function keepToTheBit(
    sampleFormat: SampleFormat,
    container: 'wav' | 'flac',
    audio: 'beside' | 'inside',
  ): Promise<void> {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    // With an odd number of frames, a WAV file of 8-bit samples has a padding byte at its end.
    const noise = Float32Array.from({ length: 801 }, (_, i) => Math.sin(i * i) * 1.01);
    const blocks = [
      { startFrame: 0, sampleRate: 16_000, channels: 1, samples: noise },
      { startFrame: 801, sampleRate: 16_000, channels: 1, samples: noise.toReversed() },
      { startFrame: 1602, sampleRate: 16_000, channels: 1, samples: noise.subarray(0, 1) },
    ];
    await recordSpeech(path, { sampleFormat, blocks, cassette: { path, container, audio } });
    const inFile = sampleFormat === 'S16BE' ? 'S16LE' : sampleFormat;
    const wanted = Buffer.concat(blocks.map(block => encodePcm(block.samples, inFile)));
    const cassette = await readCassette(path);
    expect(cassette.end?.audio?.container).toBe(container);
    expect(cassette.audio?.frames).toBe(1603);
    if (audio === 'beside' || container === 'wav') expect((await samplesOf(path)).equals(wanted)).toBe(true);
    const names = audio === 'inside' ? [] : [`talk.cassette.${container}`];
    expect(readdirSync(directory).sort()).toEqual(['talk.cassette.jsonl', ...names].sort());
  }

  test('writes silence for gaps of the source, and records them', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const events = await recordSpeech(path, { blocks: speechBlocks(SPEECH, { gap: { from: 5, to: 8 } }) });
    const cassette = await readCassette(path);
    const wanted = Int16Array.from(SPEECH).fill(0, 8000, 12_800);
    expect(cassette.audio?.gaps).toEqual([{ startFrame: 8000, frames: 4800 }]);
    expect((await samplesOf(path)).equals(Buffer.from(wanted.buffer))).toBe(true);
    expect(events.some(event => event.type === 'hole' && event.cause === 'gap')).toBe(true);
    // The service does not know about the gap, so the client shifts the times of its results.
    expect(ofType(cassette.lines, 'message').some(line => line.heard === false)).toBe(true);
    expect(recordedRun(cassette).events.map(({ value }) => value)).toEqual(events);
  });

  test('embeds minutes of silence in pieces', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const [first, second] = speechBlocks();
    const blocks = [first!, { ...second!, startFrame: 200 * 16_000 }];
    await recordSpeech(path, { blocks, cassette: { path, audio: 'inside' } });
    const samples = await samplesOf(path);
    expect(samples.length).toBe((200 * 16_000 + 1600) * 2);
    expect(samples.subarray(-3200).equals(Buffer.from(SPEECH.slice(1600, 3200).buffer))).toBe(true);
  });

  test('records every connection of a broken session, and the audio once', async () => {
    let count = 0;
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      if (count++ > 0) return endPolitely(peer);
      await peer.bytes(6400);
      peer.say(finalMessage('first', 0, 0.1));
      peer.tcp.resetAndDestroy();
    });
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const source$ = new Subject<AudioBlock>();
    const live = record({
      url: service.url,
      token: TEST_TOKEN,
      resume: { baseDelayMs: 1 },
      cassette: { path },
    });
    live.status$.subscribe(status => {
      if (status.type !== 'reconnecting') return;
      for (const block of rest) source$.next(block);
      source$.complete();
    });
    const [first, second, ...rest] = speechBlocks();
    const events = lastValueFrom(source$.pipe(live));
    source$.next(first!);
    source$.next(second!);
    await events;
    const cassette = await readCassette(path);
    expect(ofType(cassette.lines, 'connect').map(line => line.frame)).toEqual([0, 1600]);
    expect(ofType(cassette.lines, 'connect')[1]?.query.start_ts).toBe('0.1');
    expect(ofType(cassette.lines, 'close').map(line => line.by)).toEqual(['network', 'service']);
    expect(
      ofType(cassette.lines, 'status').find(line => line.status.type === 'reconnecting')?.status.error,
    ).toEqual({
      code: 'connection-lost',
      message: expect.any(String),
    });
    expect(cassette.audio?.frames).toBe(SPEECH.length);
    expect((await samplesOf(path)).equals(Buffer.from(SPEECH.buffer))).toBe(true);
    const revived = recordedRun(cassette).statuses.find(({ value }) => value.type === 'reconnecting')?.value;
    expect(revived).toMatchObject({ error: { code: 'connection-lost' } });
  });

  test('records connections that failed', async () => {
    const directory = await temporaryDirectory();
    const busy = await httpServer((_request, response) => response.writeHead(503).end());
    for (const [url, close] of [
      [busy.url, { by: 'network', code: 1006, http_status: 503 }],
      ['http://127.0.0.1:1', { by: 'network', code: 1006 }],
    ] as const) {
      const path = join(directory, `${close.code}-${'http_status' in close}.jsonl`);
      const recorded = recordFrom(from(speechBlocks()), { url, resume: false, cassette: { path } });
      await expect(recorded).rejects.toThrow();
      const { lines, end } = await readCassette(path);
      expect(lines.some(({ type }) => type === 'opened')).toBe(false);
      expect(ofType(lines, 'close')).toMatchObject([close]);
      expect(end?.frames).toBe(SPEECH.length);
    }
  });

  test('records events that no message contains', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
    const contentType = { kind: 'raw', layout: 'interleaved', format } as const;
    const word = { type: 'text', value: 'a', ts: 0, endTs: 1, confidence: 0.5 } as const;
    const punct = { type: 'punct', value: '.' } as const;
    const events: readonly LiveEvent[] = [
      { type: 'connected', id: 'a' },
      { type: 'partial', ts: 0, endTs: 1, elements: [{ type: 'text', value: 'a' }] },
      { type: 'final', ts: 0, endTs: 1, elements: [word, punct], speaker: 1 },
      { type: 'silence', ts: 1, endTs: 2.123456 },
      { type: 'hole', ts: 2.123456, endTs: 3, cause: 'gave-up', channel: 0 },
      {
        type: 'repair',
        ts: 2.123456,
        endTs: 3,
        monologues: [{ speaker: 0, speakerInfo: { id: 'x', displayName: 'X' }, elements: [word, punct] }],
        jobId: 'j',
      },
    ];
    const recorder = recorderTo({ path });
    recorder.tap.connect({ address: 'ws://127.0.0.1', query: { contentType }, originFrame: 0 });
    for (const event of events) recorder.event(event);
    await recorder.finish();
    const read = recordedRun(await readCassette(path)).events.map(({ value }) => withoutText(value));
    expect(read).toEqual(events);
  });

  test('records messages unchanged, however they are printed', async () => {
    const texts = [
      '{"type": "connected", "id": "a"}',
      '{"type":"final","ts":0.0,"end_ts":1.0,"elements":[]}',
      'hm?',
    ];
    await using service = await startStreamService(async peer => {
      peer.say(...texts);
      await endPolitely(peer);
    });
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await recordSpeech(path, { url: service.url });
    const messages = ofType((await readCassette(path)).lines, 'message');
    expect(messages.slice(0, 3).map(messageText)).toEqual(texts);
    expect(messages.map(({ heard }) => heard)).toEqual([undefined, undefined, false, undefined]);
  });

  test('keeps the faults of a service, which the reader reports', async () => {
    const word = { type: 'text', value: 'a', ts: 0.1, end_ts: 0.3 };
    const faulty = [
      { type: 'final', ts: 0.1, end_ts: 0.3, elements: [{ ...word, confidence: 7 }] },
      { type: 'final', ts: 0.5, end_ts: 0.4, elements: [{ type: 'text', value: 'b' }] },
      { type: 'final', ts: 0.6, elements: [] },
    ].map(message => JSON.stringify(message));
    await using service = await startStreamService(async peer => {
      peer.say('{"type":"connected","id":"a"}', ...faulty);
      await endPolitely(peer);
    });
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const events = await recordSpeech(path, { url: service.url });
    const cassette = await readCassette(path);
    expect(ofType(cassette.lines, 'message').map(messageText)).toEqual(expect.arrayContaining(faulty));
    expect(cassette.damage?.join('\n')).toMatch(
      /^line \d+: .*confidence of 7.*\nline \d+: .*ends at 0\.4 s.*\nline \d+: .*end_ts must be a number/,
    );
    expect(recordedRun(cassette).events.map(({ value }) => value)).toEqual(events);
  });

  test('keeps WAV when FLAC cannot be encoded, and reports it', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    const service = await startTestService();
    const broken = join(directory, 'ffmpeg');
    await writeFile(broken, '#!/bin/sh\necho "no such encoder" >&2; exit 1\n', { mode: 0o755 });
    vi.stubEnv('PATH', directory);
    const recorded = recordSpeech(path, { url: service.url, cassette: { path, container: 'flac' } });
    await expect(recorded).rejects.toMatchObject({
      code: 'program-failed',
      message: expect.stringContaining('no such'),
    });
    expect(await readCassette(path)).toMatchObject({
      end: { audio: { container: 'wav', file: 'talk.cassette.wav' } },
      audio: { frames: SPEECH.length },
    });
  });

  test('gives embedded WAV audio a header with its length', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, audio: 'inside' } });
    const pieces: Uint8Array[] = [];
    for await (const piece of (await readCassette(path)).audio!.bytes()) pieces.push(piece);
    const samples = new Uint8Array(SPEECH.buffer);
    const wanted = [
      ...writeWav({ sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 }, SPEECH.length, [samples]).bytes,
    ];
    expect(Buffer.concat(pieces).equals(Buffer.concat(wanted))).toBe(true);
  });

  test('never writes a token, whatever its source', async () => {
    await using service = await startStreamService(peer => {
      peer.say(
        connectedMessage,
        finalMessage(`you said ${peer.query.get('access_token')}`, 0, 1),
        `raw ${TOKEN}`,
        `{"type": "x", "token": ${JSON.stringify(TOKEN)}}`,
      );
      peer.socket.close(CLOSE.badRequest.code, `bad ${TOKEN}`);
    });
    const url = service.url.replace('//', `//user:${encodeURIComponent(TOKEN)}@`);
    for (const token of [TOKEN, async () => TOKEN]) {
      const directory = await temporaryDirectory();
      const path = join(directory, 'talk.cassette.jsonl');
      const options = {
        url: `${url}?access_token=${encodeURIComponent(TOKEN)}`,
        token,
        resume: false,
        cassette: { path },
      };
      await expect(recordFrom(concat(from(speechBlocks()), NEVER), options as never)).rejects.toThrow();
      const text = await readFile(path, 'utf8');
      expect(text).not.toMatch(/sesame|user:|Authorization|Bearer/);
      expect(text).toContain('you said [token]');
      expect((await readCassette(path)).end).toBeDefined();
    }
  });

  test('does not change existing files without overwrite', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    const service = await startTestService();
    await writeFile(path, 'mine');
    const recorded = () => recordSpeech(path, { url: service.url });
    await expect(recorded()).rejects.toMatchObject({
      code: 'store',
      message: expect.stringContaining('overwrite'),
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
    await rm(path);
    await writeFile(join(directory, 'talk.cassette.wav'), 'mine too');
    await expect(recorded()).rejects.toMatchObject({ code: 'store' });
    expect(existsSync(path)).toBe(false);
    const onto = recordSpeech(directory, {
      url: service.url,
      cassette: { path: directory, overwrite: true },
    });
    await expect(onto).rejects.toMatchObject({ code: 'store' });
  });

  const overwriting = (path: string, options: Partial<RecordOptions> = {}) =>
    recordSpeech(path, { ...options, cassette: { path, ...options.cassette, overwrite: true } });

  test('replaces a cassette together with the audio that it names', {
    tags: 'tools',
  }, async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, container: 'flac' } });
    await overwriting(path, { metadata: 'another' });
    expect(readdirSync(directory).sort()).toEqual(['talk.cassette.jsonl', 'talk.cassette.wav']);
    const cassette = await readCassette(path);
    expect(cassette.audio?.frames).toBe(SPEECH.length);
    expect(ofType(cassette.lines, 'connect')).toMatchObject([{ query: { metadata: 'another' } }]);
    await overwriting(path, { cassette: { path, audio: 'inside', container: 'flac' } });
    expect(readdirSync(directory)).toEqual(['talk.cassette.jsonl']);
    expect((await readCassette(path)).audio?.frames).toBe(SPEECH.length);
  });

  test('keeps the existing cassette when no service accepts the audio, or there is none', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    const { url } = await startTestService();
    await recordSpeech(path, { url });
    const before = await filesOf(directory);
    const cassette = { path, overwrite: true };
    const away = { url: 'http://127.0.0.1:1', resume: false, cassette } as const;
    await expect(recordFrom(from(speechBlocks()), away)).rejects.toMatchObject({ code: 'unreachable' });
    const unplugged = throwError(() => new Error('unplugged'));
    await expect(recordFrom(unplugged, { url, cassette })).rejects.toThrow('unplugged');
    await recordFrom(EMPTY, { url, cassette }).catch(() => {});
    expect(await filesOf(directory)).toEqual(before);
  });

  test('keeps audio that the cassette does not name, and a directory with that name', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    await recordSpeech(path, { cassette: { path, audio: 'inside' } });
    await writeFile(join(directory, 'talk.cassette.wav'), 'mine');
    const before = await filesOf(directory);
    await expect(overwriting(path)).rejects.toMatchObject({
      code: 'store',
      message: expect.stringContaining('talk.cassette.wav'),
    });
    expect(await filesOf(directory)).toEqual(before);
    await rm(path);
    await mkdir(path);
    const inside = overwriting(path, { cassette: { path, audio: 'inside' } });
    await expect(inside).rejects.toMatchObject({ code: 'store' });
  });

  test('replaces a damaged cassette and a cut off one', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    await recordSpeech(path);
    await writeFile(join(directory, 'talk.cassette.wav'), 'damaged');
    await overwriting(path);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, text.indexOf('"type":"end"')));
    await overwriting(path);
    expect((await readCassette(path)).audio?.frames).toBe(SPEECH.length);
  });

  test('has the end of the session, however long the encoding takes', { tags: 'tools' }, async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    let ms = 0;
    const clock = { ...systemClock, now: () => ms };
    const recorder = recorderTo({ path, container: 'flac' }, { clock });
    for (const block of speechBlocks()) recorder.block(block);
    ms = 1300;
    const finished = recorder.finish();
    ms = 9999;
    await finished;
    expect(recordedRun(await readCassette(path)).durationMs).toBe(1300);
  });

  test('makes files that only their owner can read', () => checkOwner('wav'));
  test('is for its owner alone, as FLAC too', { tags: 'tools' }, () => checkOwner('flac'));

  async function checkOwner(container: 'wav' | 'flac'): Promise<void> {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.jsonl');
    await recordSpeech(path, { cassette: { path, container } });
    for (const file of [path, join(directory, `talk.${container}`)]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  }

  test('fails before any audio when it cannot write', async () => {
    const path = join(await temporaryDirectory(), 'nowhere', 'talk.cassette.jsonl');
    await using service = await startStreamService(polite);
    await expect(recordSpeech(path, { url: service.url })).rejects.toMatchObject({ code: 'store' });
    expect(service.peers).toEqual([]);
  });

  test('checks for ffmpeg before any audio', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await using service = await startStreamService(polite);
    vi.stubEnv('PATH', '');
    const options = { url: service.url, cassette: { path, container: 'flac' } } as const;
    await expect(recordSpeech(path, options)).rejects.toMatchObject({ code: 'program-missing' });
    expect(service.peers).toEqual([]);
  });

  test('ends when the disk is full, and leaves a readable cassette', async () => {
    await using service = await startStreamService(polite);
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const source$ = new Subject<AudioBlock>();
    const live = record({ url: service.url, token: TEST_TOKEN, cassette: { path } });
    const failed = expect(lastValueFrom(source$.pipe(live))).rejects.toMatchObject({ code: 'store' });
    const [first] = speechBlocks();
    source$.next(first!);
    // More than a WAV file can hold.
    source$.next({ ...first!, startFrame: 2 ** 40 });
    await failed;
    expect(source$.observed).toBe(false);
    const cassette = await readCassette(path);
    expect(cassette.end).toBeUndefined();
    expect(cassette.audio?.frames).toBe(1600);
  });

  test.each([{ lines: 5 }, { textBytes: 500 }])('ends at the limits of a cassette: %o', async max => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const maxSize = { lines: 1000, textBytes: 100_000, ...max };
    const recorder = recorderTo({ path }, { maxSize });
    const take = async () => {
      for (const block of speechBlocks()) {
        recorder.block(block);
        await Promise.resolve();
      }
    };
    await expect(take()).rejects.toMatchObject({ code: 'overflow' });
    await recorder.finish({ hasFailed: true });
    const { end } = await readCassette(path);
    expect(end?.frames).toBeGreaterThan(0);
    expect(end?.frames).toBeLessThan(SPEECH.length);
  });

  test('completes the cassette after unsubscribing and after a failure of the source', {
    tags: 'tools',
  }, async () => {
    const service = await startTestService();
    const directory = await temporaryDirectory();
    const left = join(directory, 'left.cassette.jsonl');
    const live = record({ url: service.url, token: TEST_TOKEN, cassette: { path: left, container: 'flac' } });
    await lastValueFrom(concat(from(speechBlocks()), NEVER).pipe(live, take(2)));
    expect(await readCassette(left)).toMatchObject({
      end: { frames: SPEECH.length, audio: { container: 'wav' } },
      audio: { frames: SPEECH.length },
    });
    const broken = join(directory, 'broken.cassette.jsonl');
    const source$ = concat(
      from(speechBlocks()),
      throwError(() => new Error('unplugged')),
    );
    await expect(recordFrom(source$, { url: service.url, cassette: { path: broken } })).rejects.toThrow(
      'unplugged',
    );
    expect(recordedRun(await readCassette(broken)).failure).toMatchObject({ message: 'unplugged' });
  });

  test('records a session without audio', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await recordSpeech(path, { blocks: [] }).catch(() => {});
    const cassette = await readCassette(path);
    expect(cassette.audio).toBeUndefined();
    expect(cassette.end).toEqual({ type: 'end', ms: expect.any(Number), frames: 0 });
    expect(recordedRun(cassette)).toMatchObject({ sampleRate: 0, seconds: 0, audio: [] });
  });

  test.each([
    ['channels apart', { channelStreams: 'apart' }, {}],
    ['FLAC of floats', { sampleFormat: 'F32LE' }, { container: 'flac' }],
    ['an unknown container', {}, { container: 'mp3' }],
    ['an unknown place', {}, { audio: 'elsewhere' }],
    ['no path', {}, { path: '' }],
    ['a speed of nothing', {}, { speed: 0 }],
    ['a speed that nobody could read again', {}, { speed: 1e7 }],
  ])('refuses %s immediately', (_, options, cassette) => {
    const all = { url: 'http://127.0.0.1:1', token: 't', ...options, cassette: { path: 'x', ...cassette } };
    expect(() => record(all as never)).toThrow(/^Option '.* must |^FLAC cannot hold /);
  });
});
