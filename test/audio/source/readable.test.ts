import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { framesOf, type PcmFormat, type SampleFormat } from '../../../src/audio/format/format.ts';
import { decodePcm, encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { READ_BYTES } from '../../../src/audio/source/blockSource.ts';
import { fromReadable } from '../../../src/audio/source/readable.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { childrenWith, installScript, isGone } from '../../helpers/childProcesses.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needsFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { cutBytes } from '../../helpers/nativeAudio.ts';
import { readAudio, warningList } from '../../helpers/readAudio.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SAMPLE = join(import.meta.dirname, '../../../samples/sense-and-sensibility.wav');
const MONO: PcmFormat = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 };
const RAMP = encodePcm(
  Float32Array.from({ length: 1000 }, (_, i) => i / 1000),
  'S16LE',
);

beforeEach(needsFfmpeg);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audio-readable-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** The sample as ffmpeg encodes it. */
async function encoded(name: string, ...args: readonly string[]): Promise<Buffer> {
  const path = join(directory, name);
  runFfmpeg('-i', SAMPLE, ...args, path);
  return readFile(path);
}

describe('raw PCM', () => {
  test('is read in whole frames; a ragged end is dropped with a warning', async () => {
    const { codes, onWarning } = warningList();
    const pieces = Readable.from([RAMP.subarray(0, 7), RAMP.subarray(7, 13)]);
    const reading = await readAudio(fromReadable(pieces, { format: MONO, onWarning }));
    expect(reading.samples).toEqual(decodePcm(RAMP.subarray(0, 12), MONO));
    expect(codes).toEqual(['audio-truncated']);
  });

  test.each([
    ['no bytes', Buffer.alloc(0)],
    ['less than a frame', Buffer.alloc(1)],
  ])('%s is an error', async (_name, bytes) => {
    await expect(readAudio(fromReadable(Readable.from([bytes]), { format: MONO }))).rejects.toMatchObject({
      name: 'RxscribeError',
      code: 'audio-empty',
    });
  });

  test.each([
    { sampleRate: Number.NaN },
    { sampleRate: 0 },
    { sampleRate: 16_000.5 },
    { channels: 0 },
    { channels: Number.NaN },
    { sampleFormat: 'S17LE' as SampleFormat },
  ])('a format that cannot be is refused: %o', part => {
    expect(() => fromReadable(new PassThrough(), { format: { ...MONO, ...part } })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
  });
});

describe('a stream', () => {
  test('that fails is an error after its audio', async () => {
    const failing = Readable.from(
      (async function* () {
        yield RAMP;
        throw new Error('the line is dead');
      })(),
    );
    const frames: number[] = [];
    const source = fromReadable(failing, { format: MONO });
    await new Promise<void>(resolve => {
      source.subscribe({ next: block => frames.push(framesOf(block)), error: () => resolve() });
    });
    expect(frames).toEqual([1000]);
    const failed = new PassThrough();
    failed.destroy(new Error('the line is dead'));
    await expect(lastValueFrom(fromReadable(failed, { format: MONO }))).rejects.toMatchObject({
      code: 'audio-missing',
      message: 'Cannot read audio: the line is dead.',
    });
  });

  test('that fails behind a closed gate fails when its turn comes', async () => {
    const gate = createGate();
    const release = gate.hold();
    const stream = new PassThrough();
    const reading = lastValueFrom(fromReadable(stream, { format: MONO, gate }));
    // Without a listener the failure would end the process.
    expect(stream.listenerCount('error')).toBeGreaterThan(0);
    stream.destroy(new Error('the line is dead'));
    await setImmediate();
    release();
    await expect(reading).rejects.toMatchObject({ code: 'audio-missing' });
  });

  test('of text, or one that was destroyed, is an error', async () => {
    const text = Readable.from(['some', 'text']);
    await expect(lastValueFrom(fromReadable(text, { format: MONO }))).rejects.toMatchObject({
      code: 'invalid-argument',
    });
    const destroyed = new PassThrough().destroy();
    await expect(lastValueFrom(fromReadable(destroyed, { format: MONO }))).rejects.toMatchObject({
      code: 'audio-missing',
    });
  });

  test('can have one subscriber only', async () => {
    const source = fromReadable(Readable.from([RAMP]), { format: MONO });
    await readAudio(source);
    await expect(lastValueFrom(source)).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  test.each([{ format: MONO }, {}])(
    'is destroyed by unsubscribing, also while it is silent: %o',
    async options => {
      const stream = new PassThrough();
      const subscription = fromReadable(stream, options).subscribe({ error: expect.unreachable });
      stream.write(wav(RAMP));
      await setImmediate();
      subscription.unsubscribe();
      expect(stream.destroyed).toBe(true);
      await setImmediate();
    },
  );

  test('is destroyed by unsubscribing at a gate that never was open', async () => {
    const gate = createGate();
    gate.hold();
    const stream = new PassThrough();
    fromReadable(stream, { format: MONO, gate }).subscribe().unsubscribe();
    expect(stream.destroyed).toBe(true);
  });

  test('is not read while the gate is closed', async () => {
    const gate = createGate();
    let bytesRead = 0;
    const endless = new Readable({
      read(size) {
        bytesRead += size;
        this.push(Buffer.alloc(size));
      },
    });
    let frames = 0;
    const subscription = fromReadable(endless, { format: MONO, gate }).subscribe(block => {
      frames += framesOf(block);
      gate.hold();
    });
    for (let i = 0; i < 100; i++) await setImmediate();
    expect(frames * 2).toBeLessThanOrEqual(READ_BYTES);
    expect(bytesRead).toBeLessThanOrEqual(4 * endless.readableHighWaterMark);
    subscription.unsubscribe();
  });

  test('of one huge piece comes in small blocks, each at the gate', async () => {
    const gate = createGate();
    let release = () => {};
    const blocks: number[] = [];
    const huge = new PassThrough();
    const subscription = fromReadable(huge, { format: MONO, gate }).subscribe(block => {
      blocks.push(framesOf(block));
      release = gate.hold();
    });
    huge.end(new Uint8Array(20_000_000));
    await eventually(() => expect(blocks).toEqual([READ_BYTES / 2]));
    release();
    await eventually(() => expect(blocks).toEqual([READ_BYTES / 2, READ_BYTES / 2]));
    subscription.unsubscribe();
  });
});

describe('a container is detected from the bytes', () => {
  test('audio that ffmpeg decodes is the same in pieces of any size', { tags: 'tools' }, async () => {
    const bytes = await encoded('adpcm.wav', '-c:a', 'adpcm_ima_wav');
    const readings = [97, 1_000_000].map(size =>
      readAudio(fromReadable(Readable.from(cutBytes(bytes, () => size)))),
    );
    const [small, large] = await Promise.all(readings);
    expect(small?.samples).toEqual(large?.samples);
    expect(Math.abs((small?.frames ?? 0) - 443_000)).toBeLessThan(2000);
  });

  test.for([
    ['live.flac', []],
    ['live.mp3', []],
    ['live.aac', []],
    ['live.webm', ['-c:a', 'libopus']],
  ] as const)('audio comes while the stream goes on: %s', { tags: 'tools' }, async ([name, args]) => {
    const bytes = await encoded(name, ...args);
    const stream = new PassThrough();
    let frames = 0;
    const subscription = fromReadable(stream).subscribe(block => {
      frames += framesOf(block);
    });
    // Less than two seconds, which is less than what ffmpeg would like to see first.
    stream.write(bytes.subarray(0, bytes.length / 15));
    await eventually(() => expect(frames).toBeGreaterThan(1000));
    subscription.unsubscribe();
  });

  test('text is refused before the stream ends', { tags: 'tools' }, async () => {
    const stream = new PassThrough();
    const reading = lastValueFrom(fromReadable(stream));
    stream.write(Buffer.from('It is a truth universally acknowledged. '.repeat(100_000)));
    await expect(reading).rejects.toMatchObject({ code: 'audio-unsupported' });
    expect(stream.destroyed).toBe(true);
  });

  test('the error of an MP4 with its index at the end names the remedy', { tags: 'tools' }, async () => {
    const bytes = await encoded('a.m4a', '-c:a', 'aac');
    await expect(lastValueFrom(fromReadable(Readable.from([bytes])))).rejects.toMatchObject({
      code: 'audio-unsupported',
      message: expect.stringContaining('from a file'),
    });
  });

  test('a stream that fails while ffmpeg reads it is an error', { tags: 'tools' }, async () => {
    const bytes = await encoded('c.aac');
    const stream = new PassThrough();
    const reading = lastValueFrom(fromReadable(stream));
    stream.write(bytes.subarray(0, 50_000), () => stream.destroy(new Error('the line is dead')));
    await expect(reading).rejects.toMatchObject({
      code: 'audio-missing',
      message: 'Cannot read audio: the line is dead.',
    });
  });
});

describe('ffmpeg takes no more than it can use', () => {
  test('a closed gate holds the whole line', { tags: 'tools' }, async () => {
    const bytes = await encoded('d.aac');
    const gate = createGate();
    let piecesTaken = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          piecesTaken++;
          yield piecesTaken === 1 ? bytes : bytes.subarray(bytes.length / 2);
        }
      })(),
      { highWaterMark: 1 },
    );
    const subscription = fromReadable(endless, { gate, onWarning() {} }).subscribe({
      next: () => void gate.hold(),
      error() {},
    });
    await eventually(() => expect(gate.isOpen).toBe(false));
    const taken: number[] = [];
    await eventually(() => {
      taken.push(piecesTaken);
      expect(taken.at(-1)).toBe(taken.at(-20));
    });
    expect(piecesTaken).toBeLessThan(10);
    const [pid] = childrenWith('pipe:0');
    subscription.unsubscribe();
    await eventually(() => expect(isGone(pid!)).toBe(true));
  });

  test('an ffmpeg that ends while the stream is silent ends the source', async () => {
    await using _ = await installScript(
      'ffmpeg',
      '[ "$1" = -h ] && exit 0; head -c 4 >/dev/null; echo enough >&2; exit 1',
    );
    const stream = new PassThrough();
    stream.write('....ftypM4A and more');
    await expect(lastValueFrom(fromReadable(stream))).rejects.toMatchObject({
      code: 'audio-corrupt',
      message: expect.stringMatching(/enough\)\.$/),
    });
    expect(stream.destroyed).toBe(true);
  });
});
