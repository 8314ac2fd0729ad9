// @module-tag tools

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { needsFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { RECORDINGS, readNatively, recordingPath } from '../../helpers/nativeAudio.ts';

const SAMPLE = join(import.meta.dirname, '../../../samples/not-ill-disposed.wav');

beforeEach(needsFfmpeg);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'like-ffmpeg-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Returns the samples that ffmpeg decodes of the first audio track of a file. */
function decodedByFfmpeg(path: string): Float32Array {
  // Its own decoder of Opus resamples the lower half of the spectrum in its own way.
  const codec = /opus|chromium/.test(path) ? ['-c:a', 'libopus'] : [];
  const args = ['-nostdin', '-v', 'error', ...codec, '-i', path, '-map', '0:a:0', '-f', 'f32le', '-'];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 30 });
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/** Reads a file by both, and expects the same length, and samples that differ by less than a limit. */
async function expectAlike(path: string, limit: number): Promise<void> {
  const { samples, warnings, error } = await readNatively([await readFile(path)]);
  const expected = decodedByFfmpeg(path);
  expect({ error, warnings, length: samples.length }).toEqual({ warnings: [], length: expected.length });
  let largest = 0;
  for (let i = 0; i < samples.length; i++) largest = Math.max(largest, Math.abs(samples[i]! - expected[i]!));
  console.info(path.slice(path.lastIndexOf('/') + 1), samples.length, largest.toExponential(1));
  expect(largest).toBeLessThanOrEqual(limit);
}

/** Largest difference of a sample: none where nothing is lost, else that of two decoders which round differently. */
function limitOf(name: string): number {
  // Two tables of the bands of frequencies are in use at this rate.
  if (name.startsWith('mp3-24000')) return 4e-3;
  return /mp[23]|ogg$|opus|vorbis|webm/.test(name) ? 5e-5 : 0;
}

test.for(RECORDINGS)('%s', async name => {
  await expectAlike(recordingPath(name), limitOf(name));
});

const MP3 = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].flatMap(rate =>
  [1, 2].map(channels => [`mp3-${rate}-${channels}.mp3`, ['-ar', `${rate}`, '-ac', `${channels}`]] as const),
);
const LOSSLESS = ['s16', 's32'].flatMap(format =>
  [8000, 44_100, 96_000].map(
    rate => [`flac-${rate}-${format}.flac`, ['-ar', `${rate}`, '-ac', '2', '-sample_fmt', format]] as const,
  ),
);

test.for([
  ...MP3,
  ['mp3-cbr-320.mp3', ['-ar', '44100', '-ac', '2', '-b:a', '320k']],
  ['mp3-vbr.mp3', ['-ar', '44100', '-ac', '2', '-q:a', '9']],
  ['mp3-bare.mp3', ['-ar', '44100', '-write_xing', '0']],
  ['mp3-picture.mp3', ['-ar', '44100', '-metadata', `comment=${'long '.repeat(20_000)}`]],
  ['mp2-48000.mp2', ['-ar', '48000', '-c:a', 'mp2']],
  ...[8000, 12_000, 24_000, 48_000].map(
    rate => [`opus-${rate}.opus`, ['-ar', `${rate}`, '-ac', '1', '-c:a', 'libopus']] as const,
  ),
  [
    'opus-voip-60ms.opus',
    ['-c:a', 'libopus', '-application', 'voip', '-frame_duration', '60', '-b:a', '12k'],
  ],
  ['opus-2.5ms.opus', ['-c:a', 'libopus', '-frame_duration', '2.5', '-ac', '2']],
  ['opus-6.opus', ['-ac', '6', '-c:a', 'libopus', '-mapping_family', '1']],
  ...[8000, 16_000, 44_100, 48_000].map(
    rate => [`vorbis-${rate}.ogg`, ['-ar', `${rate}`, '-ac', '2', '-c:a', 'libvorbis']] as const,
  ),
  ['vorbis-6.ogg', ['-ac', '6', '-c:a', 'libvorbis']],
  ['opus-stereo.webm', ['-ac', '2', '-c:a', 'libopus']],
  ['opus-live.webm', ['-c:a', 'libopus', '-live', '1']],
  ['opus.mka', ['-c:a', 'libopus']],
  ['vorbis.mka', ['-c:a', 'libvorbis', '-ar', '44100']],
  ['flac.mka', ['-c:a', 'flac']],
  ['pcm.mka', ['-c:a', 'pcm_s16le', '-ac', '2']],
  ...LOSSLESS,
  ['flac-fast.flac', ['-compression_level', '0']],
  ['flac-best.flac', ['-compression_level', '12', '-ar', '44100', '-ac', '2']],
  ['flac-6.flac', ['-ac', '6']],
  ...[
    'pcm_s16be',
    'pcm_s24be',
    'pcm_s32be',
    'pcm_s8',
    'pcm_f32be',
    'pcm_f64be',
    'pcm_alaw',
    'pcm_mulaw',
    'pcm_s16le',
  ].map(codec => [`${codec}.aiff`, ['-c:a', codec, '-ac', '2']] as const),
  ...['pcm_s16be', 'pcm_s24le', 'pcm_s32le', 'pcm_s8', 'pcm_f32le', 'pcm_f64be', 'pcm_alaw', 'pcm_mulaw'].map(
    codec => [`${codec}.caf`, ['-c:a', codec, '-ac', '2']] as const,
  ),
  ...['pcm_s16le', 'pcm_s24le', 'pcm_u8', 'pcm_f32le'].map(
    codec => [`${codec}.w64`, ['-c:a', codec, '-ac', '2']] as const,
  ),
] as const)('%s of ffmpeg', async ([name, args]) => {
  const path = join(directory, name);
  runFfmpeg('-i', SAMPLE, ...args, path);
  await expectAlike(path, limitOf(name));
});
