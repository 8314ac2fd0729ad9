import { chmod, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PROBE_TIMEOUT_MS, probeSeconds } from '../../../src/audio/source/probe.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { noFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { ALAW, concat, formatBody, riff, riffChunk, wav } from '../../helpers/wavBytes.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));
const SECONDS = 47_840 / 16_000;

let directory: string;
const inside = (name: string) => join(directory, name);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-probe-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const probe = (path: string, clock?: VirtualClock) =>
  probeSeconds(path, { signal: new AbortController().signal, clock });

/** Programs are looked for in one directory until the test is over. */
function lookOnlyIn(path: string): void {
  const before = process.env.PATH;
  process.env.PATH = path;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

describe('WAV says how long it is', () => {
  test('by its header, without any program', async () => {
    lookOnlyIn('');
    expect(await probe(SAMPLE)).toBe(SECONDS);
  });

  test('by its size when it is cut short, or its header does not know', async () => {
    await writeFile(inside('cut.wav'), (await readFile(SAMPLE)).subarray(0, 44 + 32_001));
    expect(await probe(inside('cut.wav'))).toBe(1);
    await writeFile(inside('piped.wav'), wav(new Uint8Array(16_000), {}, 0xffff_ffff));
    expect(await probe(inside('piped.wav'))).toBe(0.5);
  });

  test('behind long chunks, and not counting those after the samples', async () => {
    const bytes = riff([
      riffChunk('LIST', new Uint8Array(100_001)),
      riffChunk('fmt ', formatBody({ tag: ALAW, bits: 8, rate: 8000, channels: 2 })),
      riffChunk('data', new Uint8Array(32_000)),
      riffChunk('LIST', new Uint8Array(50_000)),
    ]);
    await writeFile(inside('chunks.wav'), bytes);
    expect(await probe(inside('chunks.wav'))).toBe(2);
  });

  test('of many hours at once', async () => {
    const bytes = 16 * 3600 * 32_000;
    await writeFile(inside('long.wav'), wav(new Uint8Array(0), {}, bytes));
    await truncate(inside('long.wav'), 44 + bytes);
    expect(await probe(inside('long.wav'))).toBe(16 * 3600);
  });
});

/** Encoders pad. */
function expectPadded(seconds: number | undefined): void {
  expect(seconds).toBeGreaterThan(SECONDS - 0.01);
  expect(seconds).toBeLessThan(SECONDS + 0.15);
}

describe('other audio', () => {
  test.for(['mp3', 'flac', 'ogg', 'opus', 'm4a', 'webm', 'aiff'])(
    '%s says how long it is',
    { tags: 'tools' },
    async (ending, context) => {
      if (noFfmpeg) context.skip(noFfmpeg);
      runFfmpeg('-i', SAMPLE, inside(`whole.${ending}`));
      expectPadded(await probe(inside(`whole.${ending}`)));
    },
  );

  test('of a WAV with an unusual codec, and of the sound of a video', { tags: 'tools' }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    runFfmpeg('-i', SAMPLE, '-c:a', 'adpcm_ms', inside('adpcm.wav'));
    expectPadded(await probe(inside('adpcm.wav')));
    const picture = ['-f', 'lavfi', '-i', 'testsrc=d=9:s=64x64', '-c:v', 'mpeg4'];
    runFfmpeg('-i', SAMPLE, ...picture, inside('video.mp4'));
    expectPadded(await probe(inside('video.mp4')));
  });

  test('that would have to be estimated says nothing', { tags: 'tools' }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    runFfmpeg('-i', SAMPLE, inside('bare.aac'));
    expect(await probe(inside('bare.aac'))).toBeUndefined();
    runFfmpeg('-i', SAMPLE, '-write_xing', '0', '-q:a', '5', inside('bare.mp3'));
    expect(await probe(inside('bare.mp3'))).toBeUndefined();
  });

  test('that nobody can read, or that is none, says nothing', async () => {
    await writeFile(inside('text'), 'It is a truth universally acknowledged. '.repeat(200));
    expect(await probe(inside('text'))).toBeUndefined();
    await writeFile(inside('empty'), '');
    expect(await probe(inside('empty'))).toBeUndefined();
    await writeFile(inside('header.wav'), (await readFile(SAMPLE)).subarray(0, 30));
    expect(await probe(inside('header.wav'))).toBeUndefined();
    const list = concat(Buffer.from(`#EXTM3U\n#EXTINF:10,\nfile://${SAMPLE}\n#EXT-X-ENDLIST\n`));
    await writeFile(inside('list.m3u8'), list);
    expect(await probe(inside('list.m3u8'))).toBeUndefined();
  });

  test('says nothing where ffprobe is missing', async () => {
    lookOnlyIn('');
    await writeFile(inside('some.flac'), 'fLaC and more');
    expect(await probe(inside('some.flac'))).toBeUndefined();
  });
});

describe('an ffprobe', () => {
  async function standIn(script: string): Promise<void> {
    const path = process.env.PATH;
    await writeFile(inside('ffprobe'), `#!/bin/sh\nPATH='${path}'\n${script}\n`);
    await chmod(inside('ffprobe'), 0o755);
    lookOnlyIn(directory);
    await writeFile(inside('some.flac'), 'fLaC and more');
  }

  test('that hangs is not waited for', async () => {
    await standIn('exec sleep 600');
    const clock = new VirtualClock();
    const probing = probe(inside('some.flac'), clock);
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(PROBE_TIMEOUT_MS);
    expect(await probing).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  test('is ended by the signal', async () => {
    await standIn('exec sleep 600');
    const controller = new AbortController();
    const clock = new VirtualClock();
    const probing = probeSeconds(inside('some.flac'), { signal: controller.signal, clock });
    await expect.poll(() => clock.pending).toBe(1);
    controller.abort(new Error('enough'));
    await expect(probing).rejects.toThrow('enough');
  });

  test('that says too much is not listened to', async () => {
    await standIn('exec yes 1');
    expect(await probe(inside('some.flac'))).toBeUndefined();
  });
});
