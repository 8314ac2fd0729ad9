import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { containerBlocks } from '../../../src/audio/source/containerBlocks.ts';
import { RECORDINGS, readNatively, recordingBytes } from '../../helpers/nativeAudio.ts';
import { formatBody, riff, riffChunk, wav } from '../../helpers/wavBytes.ts';

const SPEECH = readFileSync(join(import.meta.dirname, '../../../samples/not-ill-disposed.wav')).subarray(44);
const SAMPLES = SPEECH.length / 2;
const FMT = riffChunk('fmt ', formatBody());
const HALF = SPEECH.subarray(0, 20_000);

/** Seconds of audio, and the codes of the warnings. */
async function heard(...parts: readonly Uint8Array[]) {
  const { samples, channels, sampleRate, warnings, error } = await readNatively([Buffer.concat(parts)]);
  return { seconds: samples.length / (channels || 1) / (sampleRate || 1), warnings, error };
}

/** The message of the only warning, or of the error. */
async function messageOf(...parts: readonly Uint8Array[]): Promise<string> {
  const messages: string[] = [];
  async function* bytes() {
    yield* parts;
  }
  const options = {
    signal: new AbortController().signal,
    onWarning: ({ message }: { readonly message: string }) => void messages.push(message),
  };
  try {
    for await (const _ of containerBlocks(bytes(), options));
  } catch (error) {
    return (error as Error).message;
  }
  expect(messages.length).toBe(1);
  return messages[0]!;
}

describe('recordings that are joined', () => {
  test.each(RECORDINGS)('%s with itself are read twice', async name => {
    const bytes = recordingBytes(name);
    const { seconds } = await heard(bytes);
    const twice = await heard(bytes, bytes);
    expect(twice).toEqual({ seconds: expect.any(Number), warnings: [], error: undefined });
    expect(twice.seconds).toBeCloseTo(2 * seconds, 1);
  });

  test('of two containers are read, or a warning says that the second is not', async () => {
    const alone = new Map<string, number>();
    for (const name of RECORDINGS) alone.set(name, (await heard(recordingBytes(name))).seconds);
    for (const [i, first] of RECORDINGS.entries()) {
      for (const second of [1, 4, 9].map(step => RECORDINGS[(i + step) % RECORDINGS.length]!)) {
        const { seconds, warnings, error } = await heard(recordingBytes(first), recordingBytes(second));
        const isWhole = seconds > alone.get(first)! + alone.get(second)! - 0.01;
        expect([isWhole || warnings.length > 0, error], `${first} and ${second}`).toEqual([true, undefined]);
        expect(seconds).toBeGreaterThan(alone.get(first)! - 0.01);
      }
    }
  });

  test('in WAV of another rate become one', async () => {
    const other = wav(new Uint8Array(2 * 8000), { rate: 8000 });
    const { seconds, warnings } = await heard(wav(HALF), other, wav(HALF, { channels: 2 }));
    expect(seconds).toBeCloseTo(10_000 / 16_000 + 1 + 5000 / 16_000, 3);
    expect(warnings).toEqual([]);
  });

  test('of a rate that cannot be converted are left out with a warning', async () => {
    const high = wav(HALF, { rate: 96_000 });
    expect(await heard(high, wav(HALF))).toMatchObject({
      seconds: 10_000 / 96_000,
      warnings: ['audio-damaged'],
    });
  });

  test('after zeros, tags and a truncated frame are read', async () => {
    const flac = recordingBytes('ffmpeg.flac');
    const tag = Buffer.from(`TAG${' '.repeat(125)}`);
    const two = await heard(flac, tag, new Uint8Array(1000), flac);
    expect([two.seconds, two.warnings]).toEqual([1, []]);
    const cut = await heard(flac.subarray(0, -500), flac);
    expect(cut.seconds).toBeGreaterThan(0.7);
    expect(cut.warnings).toEqual(['audio-damaged']);
  });
});

describe('one WAV file', () => {
  test.each<[string, Uint8Array[]]>([
    ['two data chunks', [FMT, riffChunk('data', HALF), riffChunk('data', SPEECH.subarray(20_000))]],
    [
      'a chunk between its data chunks',
      [
        FMT,
        riffChunk('data', HALF),
        riffChunk('cust', Buffer.from('x')),
        riffChunk('data', SPEECH.subarray(20_000)),
      ],
    ],
    [
      'odd data without padding before other data',
      [
        riffChunk('fmt ', formatBody({ bits: 8 })),
        riffChunk('data', SPEECH.subarray(0, SAMPLES - 1)).subarray(0, -1),
        riffChunk('data', SPEECH.subarray(0, 1)),
      ],
    ],
  ])('with %s is read whole', async (_kind, chunks) => {
    expect(await heard(riff(chunks))).toEqual({ seconds: SAMPLES / 16_000, warnings: [], error: undefined });
  });

  test.each([2, 1000, SPEECH.length - 2])('with a size of %i that is too small says so', async size => {
    const message = await messageOf(wav(SPEECH, {}, size));
    expect(message).toBe(
      `The WAV audio is followed by ${SPEECH.length - size} ${SPEECH.length - size === 1 ? 'byte' : 'bytes'} that could not be read.`,
    );
  });

  test.each<[string, Uint8Array, number]>([
    ['text', Buffer.from('[no audio] but text, of any length'), 34],
    ['a WAV file of a codec that is not read', wav(new Uint8Array(100), { tag: 2, bits: 4 }), 144],
    ['a chunk that is cut', riffChunk('LIST', new Uint8Array(10), 5000), 18],
  ])('followed by %s says so', async (_kind, rest, bytes) => {
    const message = await messageOf(wav(SPEECH), rest);
    expect(message).toBe(`The WAV audio is followed by ${bytes} bytes that could not be read.`);
  });

  test('whose header would be longer than it says why, in true numbers', async () => {
    const chunk = riffChunk('cust', new Uint8Array(10), 0x7000_0000);
    expect(await messageOf(riff([FMT, chunk, riffChunk('data', SPEECH)]))).toMatch(
      /^Cannot read WAV: its header would have 18790\d+ bytes \(at most: 16777216\)\.$/,
    );
  });
});

/** Recordings, and the field of each with the size of its samples. */
const SIZES: Readonly<Record<string, (bytes: Buffer) => (size: number) => unknown>> = {
  'ffmpeg.w64': bytes => size => bytes.writeBigUInt64LE(BigInt(size + 24), bytes.indexOf('data') + 16),
  'sox.aiff': bytes => size => bytes.writeUInt32BE(size + 8, bytes.indexOf('SSND') + 4),
  'ffmpeg-sowt.aifc': bytes => size => bytes.writeUInt32BE(size + 8, bytes.indexOf('SSND') + 4),
  'ffmpeg.caf': bytes => size => bytes.writeBigInt64BE(BigInt(size + 4), bytes.indexOf('data') + 4),
  // The number of samples.
  'ffmpeg.flac': bytes => size => bytes.writeUInt32BE(size, 22),
  'lame-mono.mp3': bytes => size => bytes.writeUInt32BE(size, bytes.indexOf('Xing') + 8),
};

test.each(Object.entries(SIZES))(
  '%s with a size that is too small loses nothing silently',
  async (name, fieldOf) => {
    const { seconds } = await heard(recordingBytes(name));
    for (const size of [1, 2, 37, 1000, 4000]) {
      const bytes = recordingBytes(name);
      fieldOf(bytes)(size);
      const found = await heard(bytes);
      // Of a size below one frame nothing is read.
      expect(found.error).toBe(size === 1 && found.seconds === 0 ? 'audio-corrupt' : undefined);
      const isReported = found.error !== undefined || found.warnings.length > 0;
      expect(found.seconds > seconds - 0.1 || isReported, `${size}`).toBe(true);
    }
  },
);

describe('a part of a recording without its beginning', () => {
  const webm = recordingBytes('chromium.webm');
  const cluster = webm.indexOf(Buffer.from('1f43b675', 'hex'));
  const ogg = recordingBytes('ffmpeg-stereo.ogg');

  test.each<[string, Uint8Array, string]>([
    ['a cluster of WebM', webm.subarray(cluster), 'looks like a part of a WebM recording'],
    [
      'MP4',
      Buffer.from('\0\0\0\x10moof\0\0\0\x08mfhd\xff', 'latin1'),
      'looks like a part of an MP4 recording',
    ],
    ['Ogg', ogg.subarray(ogg.lastIndexOf('OggS')), 'Cannot read Ogg: it is a part of a recording'],
  ])('is called so: %s', async (_kind, bytes, words) => {
    const message = await messageOf(bytes);
    expect(message).toContain(words);
    expect(message).not.toContain('ffmpeg');
  });
});
