import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../src/audio/source/program.ts';
import { runFfmpeg } from '../helpers/ffmpeg.ts';
import { transcribeApart, writeLongMedia } from '../helpers/longMedia.ts';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { scratchDirectory } from './parts/scratch.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/sense-and-sensibility.wav', import.meta.url));
const HOURS = 3;

/** Hours of media through a transcription task, without the work of a recogniser: how fast, and in how much memory. */
export async function run(): Promise<void> {
  await using scratch = await scratchDirectory();
  const rows = [];
  const long = join(scratch.path, 'long.wav');
  const speech = scriptedSpeech([4, 7]);
  for (const [media, seconds] of [
    ['1 minute of WAV', 60],
    [`${HOURS} hours of WAV`, HOURS * 3600],
  ] as const) {
    await writeLongMedia({ path: long, seconds, channels: 1, speech });
    rows.push({ media, ...(await measure(long)) });
  }
  for (const [ending, args] of findProgram('ffmpeg') ? ENCODINGS : []) {
    const path = join(scratch.path, `long.${ending}`);
    runFfmpeg('-stream_loop', '-1', '-i', SAMPLE, '-t', String(HOURS * 3600), ...args, path);
    rows.push({ media: `${HOURS} hours of ${ending}`, ...(await measure(path)) });
    await rm(path);
  }
  console.table(rows);
}

/** As people have them; those of 44.1 kHz are resampled. */
const ENCODINGS = [
  ['mp3', ['-ar', '44100', '-ac', '2', '-b:a', '128k']],
  ['m4a', ['-ar', '44100', '-ac', '1', '-c:a', 'aac']],
  ['flac', []],
] as const;

async function measure(path: string) {
  const { durationSeconds, peakMegabytes, seconds } = await transcribeApart(path);
  return {
    'times real time': Math.round(durationSeconds / seconds),
    'peak memory (MB)': Math.round(peakMegabytes),
  };
}
