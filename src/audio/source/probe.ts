import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { wavBytesPerSample } from '../pcm/wavFormat.ts';
import { createWavHeaderReader } from '../pcm/wavHeader.ts';
import { READ_BYTES } from './blockSource.ts';
import { FORMATS } from './decode.ts';
import { findProgram, watchChild } from './program.ts';

export interface ProbeOptions {
  /** Aborting it ends the probe with its reason as the error. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Milliseconds after which ffprobe is killed. */
export const PROBE_TIMEOUT_MS = 30_000;
/** Most characters of an answer, which normally has a few dozen. */
const MAX_ANSWER_LENGTH = 4096;

/** Warning of ffprobe for files that do not state their duration; its estimates can be off by a fifth. */
const ESTIMATE = 'Estimating duration';

/**
 * Resolves with the duration of an audio file in seconds, without decoding it: for WAV from its header and its size, for other
 * formats as the file states it, which may be wrong for a file that was cut short. Undefined when the file does not state its
 * duration, cannot be read as audio, or ffprobe is not installed.
 */
export async function probeSeconds(path: string, options: ProbeOptions): Promise<number | undefined> {
  options.signal.throwIfAborted();
  return (await wavSeconds(path)) ?? (await ffprobeSeconds(path, options));
}

/**
 * Resolves with the duration of a WAV file in seconds, from its header, but no longer than its size allows. Undefined for other
 * files, and for codecs that are not read natively.
 */
export async function wavSeconds(path: string): Promise<number | undefined> {
  await using file = await open(path);
  const reader = createWavHeaderReader();
  const buffer = new Uint8Array(READ_BYTES);
  let dataStart = 0;
  try {
    while (!reader.header) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, dataStart);
      if (bytesRead === 0) return undefined;
      dataStart += bytesRead - reader.push(buffer.subarray(0, bytesRead)).length;
    }
  } catch (error) {
    // Not a WAV file, or one with a codec that only ffmpeg reads.
    if (error instanceof RxscribeError) return undefined;
    throw error;
  }
  const { format, dataBytes = Number.POSITIVE_INFINITY } = reader.header;
  const { size } = await file.stat();
  const frameBytes = wavBytesPerSample(format.sampleFormat) * format.channels;
  return Math.floor(Math.min(dataBytes, size - dataStart) / frameBytes) / format.sampleRate;
}

async function ffprobeSeconds(path: string, options: ProbeOptions): Promise<number | undefined> {
  const { signal, clock = systemClock } = options;
  const program = findProgram('ffprobe');
  if (!program) return undefined;
  const args = ['-v', 'warning', '-protocol_whitelist', 'file', '-format_whitelist', FORMATS];
  const wanted = [
    '-select_streams',
    'a:0',
    '-show_entries',
    'stream=duration:format=duration',
    '-of',
    'json',
  ];
  const child = spawn(program, [...args, ...wanted, `file:${path}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = watchChild(child);
  const kill = () => child.kill('SIGKILL');
  const cancel = clock.schedule(PROBE_TIMEOUT_MS, kill);
  signal.addEventListener('abort', kill, { once: true });
  let answer = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
    if (answer.length > MAX_ANSWER_LENGTH) kill();
  });
  const { code, stderrTail } = await ended;
  cancel();
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  return code === 0 && !stderrTail.includes(ESTIMATE) ? durationIn(answer) : undefined;
}

/** Returns the duration of the stream, else of the file. ffprobe leaves out what it does not know, or prints "N/A". */
function durationIn(json: string): number | undefined {
  const { streams = [], format } = JSON.parse(json) as {
    streams?: readonly { duration?: string }[];
    format?: { duration?: string };
  };
  const durations = [streams[0]?.duration, format?.duration].map(Number);
  return durations.find(seconds => seconds > 0 && Number.isFinite(seconds));
}
