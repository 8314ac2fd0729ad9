import { execFile } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { RxscribeError } from '../../base/errors.ts';
import { ByteReader } from '../containers/byteReader.ts';
import { oggSecondsBetween } from '../containers/ogg.ts';
import { detectContainer, openNative } from '../containers/openNative.ts';
import { READ_BYTES } from './blockSource.ts';
import { FORMATS } from './decode.ts';
import { findProgram } from './program.ts';

export interface ProbeOptions {
  /** Aborting it ends the probe with its reason as the error. */
  readonly signal: AbortSignal;
  /** Milliseconds after which ffprobe is killed. Default 30,000. */
  readonly timeoutMs?: number;
}

const PROBE_TIMEOUT_MS = 30_000;
/** Maximum size of an answer and of warnings in bytes. A few dozen are normal, many more for a damaged file. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const run = promisify(execFile);

/** Warning of ffprobe for files that do not state their duration; its estimates can be off by a fifth. */
const ESTIMATE = 'Estimating duration';

/**
 * Resolves with the duration of an audio file in seconds, without decoding it: as its header states it, which may be wrong for a
 * file that was cut short. Undefined when the file does not state its duration, cannot be read as audio, or is of a format that
 * is not read natively and ffprobe is not installed.
 */
export async function probeSeconds(path: string, options: ProbeOptions): Promise<number | undefined> {
  options.signal.throwIfAborted();
  return (await headerSeconds(path)) ?? (await ffprobeSeconds(path, options));
}

/**
 * Resolves with the duration of an audio file in seconds from its header; of raw samples no longer than its size allows.
 * Undefined when the header does not state it, and for formats that are not read natively.
 */
export async function headerSeconds(path: string): Promise<number | undefined> {
  await using file = await open(path);
  const { size } = await file.stat();
  const bytes = new ByteReader(file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false }));
  try {
    const container = await detectContainer(bytes);
    if (container === 'ogg') return await oggSeconds(file, size);
    const audio = await openNative(bytes, container);
    const seconds = audio?.seconds(size - bytes.position);
    return seconds && seconds > 0 ? seconds : undefined;
  } catch (error) {
    // Not audio, or damaged.
    if (error instanceof RxscribeError) return undefined;
    throw error;
  } finally {
    bytes.close();
  }
}

/** Bytes at both ends of an Ogg file in which its first and its last page are looked for. */
const OGG_END_BYTES = 128 * 1024;

async function oggSeconds(file: FileHandle, size: number): Promise<number | undefined> {
  const endsAt = async (position: number) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(OGG_END_BYTES), { position });
    return buffer.subarray(0, bytesRead);
  };
  return oggSecondsBetween(await endsAt(0), await endsAt(Math.max(0, size - OGG_END_BYTES)));
}

async function ffprobeSeconds(path: string, options: ProbeOptions): Promise<number | undefined> {
  const { signal, timeoutMs: timeout = PROBE_TIMEOUT_MS } = options;
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
  const limits = { signal, timeout, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' } as const;
  const found = await run(program, [...args, ...wanted, `file:${path}`], limits).catch(() => undefined);
  signal.throwIfAborted();
  return found && !found.stderr.includes(ESTIMATE) ? durationIn(found.stdout) : undefined;
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
