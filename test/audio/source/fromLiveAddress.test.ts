// @module-tag tools
import { createReadStream, existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type AudioBlock, framesOf } from '../../../src/audio/format/format.ts';
import {
  checkLiveAddress,
  fromEndedPlaylist,
  fromLiveAddress,
  type LiveAddressOptions,
} from '../../../src/audio/source/fromLiveAddress.ts';
import type { SourceStatus } from '../../../src/audio/source/reconnecting.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { runFfmpeg } from '../../helpers/ffmpeg.ts';
import { freeLivePort, startSender, toneSeconds } from '../../helpers/liveSender.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { gapsOf } from '../../helpers/readAudio.ts';

const RATE = 16_000;
const AAC = ['-c:a', 'aac', '-b:a', '96k'];

beforeEach(context => needsProgram(context, 'ffmpeg'));

/** Listens to an address until the end of the test. */
function listen(url: string, options: LiveAddressOptions = {}) {
  const [blocks, statuses, errors]: [AudioBlock[], SourceStatus[], unknown[]] = [[], [], []];
  let isComplete = false;
  const startMs = performance.now();
  let openedMs: number | undefined;
  const onStatus = (status: SourceStatus) => statuses.push(status);
  const subscription = fromLiveAddress(url, { onStatus, ...options }).subscribe({
    next: block => {
      openedMs ??= performance.now() - startMs;
      blocks.push(block);
    },
    error: error => errors.push(error),
    complete: () => {
      isComplete = true;
    },
  });
  onTestFinished(() => subscription.unsubscribe());
  const seconds = () => blocks.reduce((sum, block) => sum + framesOf(block), 0) / RATE;
  return {
    blocks,
    errors,
    isComplete: () => isComplete,
    /** Milliseconds until the first audio, with the start of the programs on both sides. */
    openedMs: () => openedMs!,
    types: () => statuses.map(({ type }) => type),
    statuses,
    subscription,
    /** Resolves when there is so much more audio. */
    async heard(more: number) {
      const wanted = seconds() + more;
      await eventually(() => {
        expect(errors).toEqual([]);
        expect(seconds()).toBeGreaterThan(wanted);
      });
    },
    gaps: () => gapsOf(blocks),
    /** Seconds by which the clock of the sender is ahead of the positions, in the last second of audio. */
    ahead() {
      const samples: number[] = [];
      let i = blocks.length;
      while (samples.length < RATE) samples.unshift(...blocks[--i]!.samples);
      return (
        toneSeconds(Float32Array.from(samples), RATE) -
        blocks[i]!.startFrame / RATE -
        samples.length / RATE / 2
      );
    },
  };
}

/** Longest wait before an attempt to connect again, in milliseconds. */
const LONGEST_WAIT_MS = 2000;

/**
 * Loses a sender and starts it again; the audio must be back within five seconds, or after the wait before an attempt and twice
 * the time of the first connection: on a busy machine, most of it is the start of programs.
 */
async function loseAndFind(
  live: ReturnType<typeof listen>,
  stop: () => Promise<void>,
  start: () => void,
): Promise<void> {
  await stop();
  const stoppedMs = performance.now();
  await eventually(() => expect(live.types()).toContain('lost'));
  start();
  const startedMs = performance.now();
  await eventually(() => expect(live.types()).toContain('back'));
  const backSeconds = (performance.now() - startedMs) / 1000;
  expect(backSeconds * 1000).toBeLessThan(Math.max(5000, LONGEST_WAIT_MS + 2 * live.openedMs()));
  await live.heard(1);
  const { lostSeconds } = live.statuses.find(({ type }) => type === 'back')!;
  expect(live.gaps()).toEqual([expect.closeTo(lostSeconds!, 1)]);
  const awaySeconds = (startedMs - stoppedMs) / 1000;
  expect(lostSeconds).toBeGreaterThan(awaySeconds - 0.5);
  expect(lostSeconds).toBeLessThan(awaySeconds + Math.max(3, backSeconds + 0.5));
}

/** Starts a sender, which can be stopped and started again, and ends with its test. */
function restartable(launch: () => ReturnType<typeof startSender>) {
  let sender = launch();
  onTestFinished(() => sender.kill());
  return {
    stop: () => sender.kill(),
    start: () => {
      sender = launch();
    },
  };
}

describe('the audio is back after the sender is', () => {
  test('over SRT, which rxscribe calls', async () => {
    const port = await freeLivePort();
    const sender = restartable(() =>
      startSender(...AAC, '-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener`),
    );
    const live = listen(`srt://127.0.0.1:${port}`);
    await live.heard(1);
    await loseAndFind(live, sender.stop, sender.start);
  });

  test('over SRT and RTMP, which call rxscribe', async () => {
    for (const [format, url, listening] of [
      ['mpegts', `srt://127.0.0.1:${await freeLivePort()}`, 'mode=listener'],
      ['flv', `rtmp://127.0.0.1:${await freeLivePort()}/live/open-sesame`, 'listen=1'],
    ] as const) {
      const live = listen(`${url}?${listening}`);
      expect(live.types()).toEqual(['waiting']);
      const sender = restartable(() => startSender(...AAC, '-f', format, url));
      await live.heard(1);
      await loseAndFind(live, sender.stop, sender.start);
      expect(JSON.stringify(live.statuses)).not.toContain('open-sesame');
      live.subscription.unsubscribe();
    }
  });

  test('over UDP, where nothing shows the loss but the missing audio', async () => {
    const port = await freeLivePort();
    const sender = restartable(() => startSender(...AAC, '-f', 'mpegts', `udp://127.0.0.1:${port}`));
    const live = listen(`udp://127.0.0.1:${port}`, { lossMs: 2000 });
    await live.heard(1);
    await loseAndFind(live, sender.stop, sender.start);
  });

  test('over HTTP from a radio station, which repeats what was heard before', async () => {
    await using sender = startSender(...AAC, '-f', 'adts', 'pipe:1');
    const recent: Buffer[] = [];
    const listeners = new Set<ServerResponse>();
    sender.output.on('data', data => {
      recent.push(data);
      for (const response of listeners) response.write(data);
    });
    const { url } = await httpServer((_, response) => {
      response.writeHead(200, { 'icy-name': 'Test', 'content-type': 'audio/aac' });
      for (const data of recent) response.write(data);
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    });
    const live = listen(`${url}/radio?token=open-sesame`);
    await live.heard(3);
    const before = live.ahead();
    for (const response of listeners) response.destroy();
    await eventually(() => expect(live.types()).toEqual(['lost', 'back']));
    await live.heard(2);
    // All of the audio during the loss came afterwards.
    expect(Math.abs(live.ahead() - before)).toBeLessThan(0.5);
    expect(live.gaps().every(gap => gap < 0.5)).toBe(true);
  });
});

/** A server of files, which can be made to fail. */
async function fileServer(directory: string) {
  const state = { isDown: false };
  const { url } = await httpServer((request, response) => {
    const path = join(directory, new URL(request.url!, 'http://x').pathname);
    if (state.isDown || !existsSync(path)) {
      response.writeHead(state.isDown ? 503 : 404).end();
      return;
    }
    createReadStream(path)
      .on('error', () => response.destroy())
      .pipe(response);
  });
  return { url, state };
}

describe('HLS', () => {
  const HLS = ['-f', 'hls', '-hls_time', '1', '-hls_list_size', '4', '-hls_flags', 'delete_segments'];

  test('is continued at the right position after an outage, no word twice', async () => {
    const directory = await temporaryDirectory();
    await using _sender = startSender(...AAC, ...HLS, join(directory, 'live.m3u8'));
    await eventually(() => expect(existsSync(join(directory, 'live.m3u8'))).toBe(true));
    const server = await fileServer(directory);
    const live = listen(`${server.url}/live.m3u8?token=open-sesame`);
    await live.heard(3);
    const before = live.ahead();
    server.state.isDown = true;
    await eventually(() => expect(live.types()).toEqual(['lost']));
    server.state.isDown = false;
    await eventually(() => expect(live.types()).toEqual(['lost', 'back']));
    await live.heard(2);
    expect(Math.abs(live.ahead() - before)).toBeLessThan(0.2);
    expect(JSON.stringify(live.statuses)).not.toContain('open-sesame');
  });

  test('completes when the playlist ends', async () => {
    const directory = await temporaryDirectory();
    const sender = startSender('-t', '4', ...AAC, ...HLS, join(directory, 'live.m3u8'));
    onTestFinished(() => sender.kill());
    await eventually(() => expect(existsSync(join(directory, 'live.m3u8'))).toBe(true));
    const server = await fileServer(directory);
    const live = listen(`${server.url}/live.m3u8`);
    await eventually(() => expect(live.isComplete()).toBe(true));
    expect(live.types()).toEqual([]);
  });

  test('that has ended is read from its first segment on', async () => {
    const directory = await temporaryDirectory();
    const hls = ['-f', 'hls', '-hls_time', '1', '-hls_list_size', '0'];
    runFfmpeg('-f', 'lavfi', '-i', 'sine=d=5', ...AAC, ...hls, join(directory, 'a.m3u8'));
    const server = await fileServer(directory);
    const last = await lastValueFrom(fromEndedPlaylist(`${server.url}/a.m3u8`));
    expect((last.startFrame + framesOf(last)) / last.sampleRate).toBeCloseTo(5, 0);
  });

  test('cannot name files of this machine', async () => {
    const directory = await temporaryDirectory();
    const secret = join(directory, 'secret.wav');
    runFfmpeg('-f', 'lavfi', '-i', 'sine=d=5', secret);
    const { url } = await httpServer((_, response) => {
      response.end(`#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://${secret}\n`);
    });
    await expect(lastValueFrom(fromLiveAddress(`${url}/a.m3u8`, { openMs: 2000 }))).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot read 'http:\/\/127\.0\.0\.1:\d+': /),
    });
  });
});

describe('an address that gives no audio at the start is an error without its secrets', () => {
  test.each<[string, string, RegExp]>([
    ['nobody there', 'rtmp://127.0.0.1:1/live/open-sesame', /: the connection was refused\.$/],
    ['no such host', 'rtmp://nowhere.invalid/live/open-sesame', /: the host is not known\.$/],
    ['no sender', 'srt://127.0.0.1:1?passphrase=open-sesame-1', /./],
    ['a password', 'rtsp://me:open-sesame@127.0.0.1:1/a', /: the connection was refused\.$/],
  ])('%s', async (_, url, reason) => {
    const checking = checkLiveAddress(url);
    await expect(checking).rejects.toMatchObject({ message: expect.stringMatching(reason) });
    await expect(checking).rejects.toMatchObject({ message: expect.not.stringContaining('open-sesame') });
  });

  test('one that stays silent', async () => {
    const checking = checkLiveAddress(`udp://127.0.0.1:${await freeLivePort()}`, { openMs: 500 });
    await expect(checking).rejects.toMatchObject({
      code: 'audio-missing',
      message: expect.stringMatching(/: no audio came within 0\.5 s\.$/),
    });
    await eventually(() => expect(childrenWith('udp://127')).toEqual([]));
  });
});
