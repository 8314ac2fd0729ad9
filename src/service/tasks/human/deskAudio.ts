import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWav } from '../../../audio/pcm/wav.ts';
import { createId } from '../../../base/ids.ts';
import type { DeskPeaksJson } from '../../../protocol/desk.ts';
import type { Segment } from '../inputs.ts';

/** Rate of the audio of the desk in Hz, which is mono with 16 bits: that of the engines, so that parts can be aligned. */
export const DESK_SAMPLE_RATE = 16_000;
const PEAKS_PER_SECOND = 25;
const FRAMES_PER_PEAK = DESK_SAMPLE_RATE / PEAKS_PER_SECOND;
const BYTES_PER_FRAME = 2;

/** Names of the objects with the audio and its peaks, besides the media of a job. */
export const DESK_AUDIO = 'audio';
export const DESK_PEAKS = 'peaks';

/** Bytes before the samples. */
const WAV_HEADER_BYTES = 44;

/**
 * Writes the audio for people: a WAV file, in which browsers seek exactly, silent outside the segments.
 *
 * @param audio mono, at {@link DESK_SAMPLE_RATE}
 * @param segments default: all of the audio
 * @returns the paths of the file, and of one with {@link DeskPeaksJson}
 */
export async function writeDeskAudio(
  audio: AsyncIterable<Int16Array>,
  { segments, directory }: { readonly segments?: readonly Segment[]; readonly directory: string },
) {
  const paths = { audio: join(directory, createId()), peaks: join(directory, createId()) };
  await using file = await open(paths.audio, 'wx', 0o600);
  const meter = createPeakMeter();
  let frames = 0;
  for await (const samples of audio) {
    const heard = segments ? silencedOutside(samples, frames, segments) : samples;
    await file.write(
      new Uint8Array(heard.buffer, heard.byteOffset, heard.byteLength),
      0,
      heard.byteLength,
      WAV_HEADER_BYTES + frames * BYTES_PER_FRAME,
    );
    meter.add(heard);
    frames += heard.length;
  }
  const format = { sampleFormat: 'S16LE', sampleRate: DESK_SAMPLE_RATE, channels: 1 } as const;
  const [header] = writeWav(format, frames, []).bytes;
  await file.write(header!, 0, WAV_HEADER_BYTES, 0);
  const peaks: DeskPeaksJson = {
    seconds: frames / DESK_SAMPLE_RATE,
    per_second: PEAKS_PER_SECOND,
    peaks: meter.end().toString('base64'),
  };
  await using peaksFile = await open(paths.peaks, 'wx', 0o600);
  await peaksFile.writeFile(JSON.stringify(peaks));
  return paths;
}

function silencedOutside(samples: Int16Array, from: number, segments: readonly Segment[]): Int16Array {
  const heard = new Int16Array(samples.length);
  for (const { start, end } of segments) {
    const first = Math.max(0, Math.round(start * DESK_SAMPLE_RATE) - from);
    const last = Math.min(samples.length, Math.round(end * DESK_SAMPLE_RATE) - from);
    if (first < last) heard.set(samples.subarray(first, last), first);
  }
  return heard;
}

/** Creates a meter of the loudest sample in each span, as bytes. */
function createPeakMeter() {
  const peaks: number[] = [];
  let peak = 0;
  let frames = 0;
  const close = () => {
    peaks.push(Math.min(255, Math.round(peak / 128.5)));
    peak = 0;
    frames = 0;
  };
  return {
    add(samples: Int16Array): void {
      for (const sample of samples) {
        peak = Math.max(peak, Math.abs(sample));
        if (++frames === FRAMES_PER_PEAK) close();
      }
    },
    end(): Buffer {
      if (frames > 0) close();
      return Buffer.from(peaks);
    },
  };
}

/** Returns the bytes of a part of the audio, `end` inclusive. */
export function bytesOfPart(ts: number, endTs: number): { readonly start: number; readonly end: number } {
  const at = (seconds: number) => WAV_HEADER_BYTES + BYTES_PER_FRAME * Math.floor(seconds * DESK_SAMPLE_RATE);
  return { start: at(ts), end: at(endTs) - 1 };
}

export function audioBytes({ seconds }: Pick<DeskPeaksJson, 'seconds'>): number {
  return WAV_HEADER_BYTES + BYTES_PER_FRAME * Math.round(seconds * DESK_SAMPLE_RATE);
}
