import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createResampler } from '../../../src/audio/resample/resampler.ts';
import { containerBlocks } from '../../../src/audio/source/containerBlocks.ts';
import { headerSeconds } from '../../../src/audio/source/probe.ts';
import {
  type NativeReading,
  RECORDINGS,
  readNatively,
  recordingBytes,
  recordingPath,
} from '../../helpers/nativeAudio.ts';
import { likeness } from '../../helpers/readAudio.ts';

const PCM = readFileSync(join(import.meta.dirname, '../../../samples/not-ill-disposed.wav')).subarray(44);
/** The recording from a time to another, in seconds. */
const original = (from: number, to: number) =>
  Float32Array.from(
    { length: (to - from) * 16_000 },
    (_, i) => PCM.readInt16LE(2 * (from * 16_000 + i)) / 32_768,
  );
const TWO_SECONDS = original(0, 2);
const HALF_SECOND = original(0.5, 1);

/** Returns the first channel at 16 kHz. */
function heard({ samples, channels, sampleRate }: NativeReading): Float32Array {
  const mono = samples.filter((_, i) => i % channels === 0);
  const resampler = createResampler({ inputRate: sampleRate, outputRate: 16_000, channels: 1 });
  return Float32Array.from([...resampler.process(mono), ...resampler.flush()]);
}

describe('recordings are read without any program, in their exact length', () => {
  const LOSSLESS = [
    'flac-mono.flac',
    'ffmpeg.flac',
    'ffmpeg-flac.oga',
    'ffmpeg-flac.mka',
    'sox.aiff',
    'ffmpeg-sowt.aifc',
    'ffmpeg.w64',
    'ffmpeg.caf',
  ];
  test.each(LOSSLESS)('%s, to the bit', async name => {
    const reading = await readNatively([recordingBytes(name)]);
    expect(reading).toEqual({ sampleRate: 16_000, channels: 1, samples: HALF_SECOND, warnings: [] });
  });

  test('flac-stereo-24bit.flac, to the bit', async () => {
    const { samples, channels } = await readNatively([recordingBytes('flac-stereo-24bit.flac')]);
    expect(channels).toBe(2);
    expect(samples.filter((_, i) => i % 2 === 0)).toEqual(TWO_SECONDS.subarray(0, 8000));
  });

  // Without a tag of the encoder its padding counts as audio.
  const LOSSY = [
    ['lame-mono.mp3', 16_000, 1, 32_000],
    ['lame-stereo.mp3', 44_100, 2, 88_200],
    ['lame-8000-bare.mp3', 8000, 1, 17_280],
    ['ffmpeg.mp3', 16_000, 1, 32_000],
    ['ffmpeg.mp2', 44_100, 2, 88_704],
    ['opusenc-mono.opus', 48_000, 1, 96_000],
    ['ffmpeg-stereo.opus', 48_000, 2, 96_000],
    ['oggenc-mono.ogg', 16_000, 1, 32_000],
    ['ffmpeg-stereo.ogg', 44_100, 2, 88_200],
    ['ffmpeg-opus.webm', 48_000, 1, 96_000],
    ['ffmpeg-vorbis.webm', 44_100, 2, 88_320],
    ['chromium.webm', 48_000, 2, 95_040],
  ] as const;
  test.each(LOSSY)('%s', async (name, sampleRate, channels, frames) => {
    const reading = await readNatively([recordingBytes(name)]);
    expect(reading).toMatchObject({ sampleRate, channels, warnings: [] });
    expect(reading.error).toBeUndefined();
    expect(reading.samples.length).toBe(frames * channels);
    const sound = heard(reading);
    // These begin with the delay of an encoder that states none.
    const isLate = ['lame-8000-bare.mp3', 'ffmpeg.mp2', 'chromium.webm'].includes(name);
    const lags = isLate ? Array.from({ length: 3200 }, (_, lag) => lag - 800) : [0];
    const best = lags.map(lag =>
      lag < 0 ? likeness(sound, TWO_SECONDS, -lag) : likeness(TWO_SECONDS, sound, lag),
    );
    expect(Math.max(...best)).toBeGreaterThan(0.9);
  });

  test('every recording of the folder is in a table above', () => {
    const named = [...LOSSLESS, 'flac-stereo-24bit.flac', ...LOSSY.map(([name]) => name)];
    expect(RECORDINGS.toSorted()).toEqual(named.toSorted());
  });
});

test.each([
  ['flac-mono.flac', 0.5],
  ['ffmpeg-flac.oga', 0.5],
  ['sox.aiff', 0.5],
  ['ffmpeg.w64', 0.5],
  ['ffmpeg.caf', 0.5],
  ['lame-stereo.mp3', 2],
  ['ffmpeg.mp3', 2],
  ['opusenc-mono.opus', 2],
  ['oggenc-mono.ogg', 2],
  ['ffmpeg-opus.webm', 2.008],
  ['lame-8000-bare.mp3', undefined],
  ['chromium.webm', undefined],
])('the header of %s states %d seconds', async (name, seconds) => {
  const stated = await headerSeconds(recordingPath(name));
  if (seconds === undefined) expect(stated).toBeUndefined();
  else expect(stated).toBeCloseTo(seconds, 3);
});

describe('MP3', () => {
  const id3 = (bytes: number) =>
    Buffer.concat([
      Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, (bytes >> 14) & 127, (bytes >> 7) & 127, bytes & 127]),
      Buffer.alloc(bytes, 0xff),
    ]);

  test('is found behind tags with pictures, and before tags', async () => {
    const bytes = recordingBytes('ffmpeg.mp3');
    const { samples } = await readNatively([bytes]);
    const tail = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)]);
    const tagged = Buffer.concat([id3(1_000_000), id3(10), bytes, tail]);
    expect(await readNatively([tagged])).toMatchObject({ samples, warnings: [] });
  });

  test('is read from within a frame on', async () => {
    const bytes = recordingBytes('lame-mono.mp3');
    const { samples, warnings, error } = await readNatively([bytes.subarray(3000)]);
    expect({ warnings, error }).toEqual({ warnings: [], error: undefined });
    expect(samples.length).toBeGreaterThan(20_000);
  });

  test('of several files in a row is read in the format of the first', async () => {
    const names = ['lame-mono.mp3', 'lame-stereo.mp3', 'ffmpeg.mp3'];
    const reading = await readNatively(names.map(recordingBytes));
    expect(reading).toMatchObject({ sampleRate: 16_000, channels: 1, warnings: [] });
    expect(reading.samples.length).toBe(3 * 32_000);
    const sound = reading.samples;
    expect(likeness(TWO_SECONDS, sound.subarray(64_000))).toBeGreaterThan(0.9);
  });
});

describe('Ogg', () => {
  test('of several streams in a row is read in the format of the first', async () => {
    const names = ['oggenc-mono.ogg', 'opusenc-mono.opus', 'ffmpeg-stereo.ogg'];
    const reading = await readNatively(names.map(recordingBytes));
    expect(reading).toMatchObject({ sampleRate: 16_000, channels: 1, warnings: [] });
    expect(reading.samples.length).toBe(3 * 32_000);
    expect(likeness(TWO_SECONDS, reading.samples.subarray(32_000))).toBeGreaterThan(0.9);
  });

  test('with a codec that is not read natively is left to ffmpeg, with all its bytes', async () => {
    const speex = Buffer.from(recordingBytes('opusenc-mono.opus'));
    speex.write('Speex   ', 28);
    // The checksum of the page is that of its new contents.
    const { oggChecksum } = await import('../../../src/audio/containers/checksums.ts');
    speex.writeUInt32LE(oggChecksum(speex.subarray(0, 27 + 1 + speex[27]!)), 22);
    expect(await readNatively([speex])).toMatchObject({ error: 'program-missing' });
  });
});

describe('damage is a warning', () => {
  test.each([
    ['ffmpeg.flac', 0.6],
    ['ffmpeg-flac.oga', 0.4],
    ['lame-mono.mp3', 0.9],
    ['opusenc-mono.opus', 0.4],
    ['oggenc-mono.ogg', 0.2],
    ['chromium.webm', 0.8],
  ] as const)('in the middle of %s', async (name, share) => {
    const bytes = recordingBytes(name);
    const whole = await readNatively([bytes]);
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0x55, middle, middle + 300);
    const { samples, warnings, error } = await readNatively([bytes]);
    expect({ warnings, error }).toEqual({ warnings: ['audio-damaged'], error: undefined });
    expect(samples.length).toBeLessThan(whole.samples.length);
    expect(samples.length).toBeGreaterThan(share * whole.samples.length);
  });

  test.each([
    'ffmpeg.flac',
    'ffmpeg-flac.oga',
    'lame-mono.mp3',
    'ffmpeg-stereo.ogg',
    'ffmpeg-vorbis.webm',
    'sox.aiff',
    'ffmpeg.caf',
    'ffmpeg.w64',
  ])('at the end of %s', async name => {
    const bytes = recordingBytes(name);
    const { samples, warnings, error } = await readNatively([bytes.subarray(0, bytes.length * 0.7)]);
    expect({ warnings, error }).toEqual({ warnings: ['audio-truncated'], error: undefined });
    expect(samples.length).toBeGreaterThan(0);
  });

  test('of one bit in FLAC costs one frame', async () => {
    const bytes = recordingBytes('ffmpeg.flac');
    bytes[10_500]! ^= 1;
    const { samples, warnings } = await readNatively([bytes]);
    expect(warnings).toEqual(['audio-damaged']);
    expect(samples.length).toBe(HALF_SECOND.length - 1000);
    const same = samples.findIndex((sample, i) => sample !== HALF_SECOND[i]);
    const start = Math.floor(same / 1000) * 1000;
    expect(samples.subarray(start)).toEqual(HALF_SECOND.subarray(start + 1000));
  });

  test('of everything is an error', async () => {
    for (const head of [
      'fLaC',
      'OggS',
      'FORM....AIFFCOMM',
      'caff\0\x01\0\0',
      'ID3\x04\0\0\0\0\0\0',
      '\x1aE\xdf\xa3',
    ]) {
      const { error } = await readNatively([Buffer.from(`${head}${'\0'.repeat(200)}`, 'latin1')]);
      expect(['audio-corrupt', 'program-missing'], head).toContain(error);
    }
  });

  test('is not assumed of CAF with gaps between its samples, which another program reads', async () => {
    const bytes = recordingBytes('ffmpeg.caf');
    const bytesPerPacket = bytes.indexOf('lpcm') + 8;
    bytes.writeUInt32BE(bytes.readUInt32BE(bytesPerPacket) * 2, bytesPerPacket);
    expect((await readNatively([bytes])).error).toBe('program-missing');
  });

  test('is not printed', async () => {
    const bytes = recordingBytes('opusenc-mono.opus');
    const printed: unknown[] = [];
    const { error } = console;
    console.error = (...said: unknown[]) => void printed.push(said);
    try {
      // An impossible packet in a page whose checksum is right.
      const { oggChecksum } = await import('../../../src/audio/containers/checksums.ts');
      const start = bytes.indexOf('OggS', 200);
      const table = bytes[start + 26]!;
      const size = bytes
        .subarray(start + 27, start + 27 + table)
        .reduce((sum, lacing) => sum + lacing, 27 + table);
      bytes[start + 27 + table] = 0xff;
      bytes[start + 27 + table + 1] = 0;
      bytes.writeUInt32LE(oggChecksum(bytes.subarray(start, start + size)), start + 22);
      expect(await readNatively([bytes])).toMatchObject({ warnings: ['audio-damaged'] });
    } finally {
      console.error = error;
    }
    expect(printed).toEqual([]);
  });
});

describe('the error for bytes that are not audio names their likely type', () => {
  test.each([
    ['text', Buffer.from('It is a truth universally acknowledged. '.repeat(200))],
    ['text', Buffer.from('Größe: «ça va» 日本語 '.repeat(300))],
    ['HTML', Buffer.from('\n<!DOCTYPE html><html><body>404</body></html>')],
    ['XML', Buffer.from('<?xml version="1.0"?><rss/>')],
    ['JSON', Buffer.from('{"error": "not found"}')],
    ['a PDF document', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0', 'latin1')],
    ['a PNG image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    ['a JPEG image', Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1')],
    ['a ZIP archive', Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1')],
  ])('%s', async (what, bytes) => {
    const options = { signal: new AbortController().signal, onWarning: () => {} };
    async function* once() {
      yield bytes;
    }
    await expect(containerBlocks(once(), options).next()).rejects.toMatchObject({
      code: 'audio-unsupported',
      message: `Cannot decode audio: the data is not audio, but looks like ${what}.`,
    });
  });
});

test('a decoder is loaded only for a file that needs it', () => {
  const program = `
    const { fileBlocks } = await import('./src/audio/source/file.ts');
    const loaded = () => Object.keys(process.getBuiltinModule('module')._cache ?? {}).length;
    const seen = [];
    const { registerHooks } = process.getBuiltinModule('module');
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    const read = async path => {
      for await (const _ of fileBlocks(path, { signal: new AbortController().signal, onWarning() {} }));
      return seen.some(url => /mpg123|opus-decoder|wasm-audio/.test(url));
    };
    console.log(await read('samples/not-ill-disposed.wav'), await read('test/fixtures/audio/flac-mono.flac'), await read('test/fixtures/audio/ffmpeg.mp3'));
  `;
  const root = join(import.meta.dirname, '../../..');
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(output.trim()).toBe('false false true');
});
