import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { probeSeconds } from '../../../src/audio/source/probe.ts';
import { childrenWith, hidePrograms, installScript } from '../../helpers/childProcesses.ts';
import { needsFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { ALAW, concat, formatBody, riff, riffChunk, wav } from '../../helpers/wavBytes.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));
const SECONDS = 47_840 / 16_000;

beforeEach(needsFfmpeg);

let directory: string;
const inside = (name: string) => join(directory, name);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-probe-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const probe = (path: string, timeoutMs?: number) =>
  probeSeconds(path, { signal: new AbortController().signal, timeoutMs });

describe('the duration of a WAV file', () => {
  test('is read from its header, without any program', async () => {
    await using _ = await hidePrograms();
    expect(await probe(SAMPLE)).toBe(SECONDS);
  });

  test('is that of its size when it is cut short, or its header states none', async () => {
    await writeFile(inside('cut.wav'), (await readFile(SAMPLE)).subarray(0, 44 + 32_001));
    expect(await probe(inside('cut.wav'))).toBe(1);
    await writeFile(inside('piped.wav'), wav(new Uint8Array(16_000), {}, 0xffff_ffff));
    expect(await probe(inside('piped.wav'))).toBe(0.5);
  });

  test('does not count chunks before and after the samples', async () => {
    const bytes = riff([
      riffChunk('LIST', new Uint8Array(100_001)),
      riffChunk('fmt ', formatBody({ tag: ALAW, bits: 8, rate: 8000, channels: 2 })),
      riffChunk('data', new Uint8Array(32_000)),
      riffChunk('LIST', new Uint8Array(50_000)),
    ]);
    await writeFile(inside('chunks.wav'), bytes);
    expect(await probe(inside('chunks.wav'))).toBe(2);
  });

  test('of many hours is known at once', async () => {
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

describe('the duration of other audio', () => {
  test.for(['m4a', 'mov'])(
    'of a container that ffprobe reads is known: %s',
    { tags: 'tools' },
    async ending => {
      runFfmpeg('-i', SAMPLE, inside(`whole.${ending}`));
      expectPadded(await probe(inside(`whole.${ending}`)));
    },
  );

  test('of a WAV file with an unusual codec, and of the sound of a video, is known', {
    tags: 'tools',
  }, async () => {
    runFfmpeg('-i', SAMPLE, '-c:a', 'adpcm_ms', inside('adpcm.wav'));
    expectPadded(await probe(inside('adpcm.wav')));
    const picture = ['-f', 'lavfi', '-i', 'testsrc=d=9:s=64x64', '-c:v', 'mpeg4'];
    runFfmpeg('-i', SAMPLE, ...picture, inside('video.mp4'));
    expectPadded(await probe(inside('video.mp4')));
  });

  test('that ffprobe would estimate is unknown', { tags: 'tools' }, async () => {
    runFfmpeg('-i', SAMPLE, inside('bare.aac'));
    expect(await probe(inside('bare.aac'))).toBeUndefined();
    runFfmpeg('-i', SAMPLE, '-write_xing', '0', '-q:a', '5', inside('bare.mp3'));
    expect(await probe(inside('bare.mp3'))).toBeUndefined();
  });

  test('is unknown for files that cannot be read or are not audio', async () => {
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

  test('is unknown where ffprobe is missing', async () => {
    await using _ = await hidePrograms();
    await writeFile(inside('some.flac'), 'fLaC and more');
    expect(await probe(inside('some.flac'))).toBeUndefined();
  });
});

describe('an ffprobe', () => {
  beforeAll(() => writeFile(inside('some.flac'), 'fLaC and more'));

  test.each([
    ['hangs', 'exec sleep 600'],
    ['prints too much', 'exec yes 1'],
  ])('that %s is ended', async (_, script) => {
    await using _script = await installScript('ffprobe', script);
    expect(await probe(inside('some.flac'), 1000)).toBeUndefined();
  });

  test('is ended by the signal', async () => {
    await using _script = await installScript('ffprobe', 'exec sleep 600');
    const controller = new AbortController();
    const probing = probeSeconds(inside('some.flac'), { signal: controller.signal });
    await expect.poll(() => childrenWith('sleep')).toHaveLength(1);
    controller.abort(new Error('enough'));
    await expect(probing).rejects.toThrow('enough');
    await expect.poll(() => childrenWith('sleep')).toEqual([]);
  });
});
