import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { CONTAINER_NAMES, type Container } from '../containers/sniff.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { createWavReader } from '../pcm/wav.ts';
import { type ChildEnd, findProgram, programMissing, watchChild } from './program.ts';

export interface DecodeOptions {
  /** Aborting it kills ffmpeg, even while no block is being requested. */
  readonly signal: AbortSignal;
  readonly onWarning: OnAudioWarning;
  /** The detected container: with one, a failure means damage; without one, that the bytes are not audio. */
  readonly container?: Container;
  /**
   * Continues after damage. Frames that cannot be decoded are left out, so later ones get earlier positions; a warning
   * follows at the end when ffmpeg reports the damage. Default false: damage is an error, after the intact frames.
   */
  readonly tolerant?: boolean;
}

/**
 * Decodes a file of any format with ffmpeg, at its own sample rate and number of channels.
 *
 * @throws RxscribeError `program-missing`, `program-failed`, `audio-empty`, `audio-unsupported` or `audio-corrupt`
 */
export function decodeFile(path: string, options: DecodeOptions): AsyncGenerator<AudioBlock> {
  // Without an explicit protocol, ffmpeg would interpret a name such as `-y`, `concat:a|b` or `http://…`.
  return decode(['-protocol_whitelist', 'file', '-i', `file:${path}`], Readable.from([]), options);
}

/**
 * Decodes bytes of any format with ffmpeg as they arrive, at their own sample rate and number of channels. Bytes are pulled
 * only as fast as ffmpeg takes them.
 *
 * @throws the error of `bytes`; the errors of {@link decodeFile}
 */
export function decodeBytes(
  bytes: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<AudioBlock> {
  // By default ffmpeg analyses several seconds of audio before it outputs the first.
  const quick = ['-probesize', '32', '-analyzeduration', '0'];
  return decode([...quick, '-protocol_whitelist', 'pipe', '-i', 'pipe:0'], bytes, options);
}

/**
 * Prepares the first decoding. Blocks for about 100 ms, because prism-media runs ffmpeg synchronously to get its version, so
 * a server calls this before it listens. Does nothing without ffmpeg.
 */
export async function warmDecoder(): Promise<void> {
  try {
    if (findProgram('ffmpeg')) (await loadLauncher()).getInfo();
  } catch {
    // The first decoding will throw the error.
  }
}

/** Kept out of the import expression: bundlers would follow it to optional packages of prism-media, and fail. */
const PRISM: string = 'prism-media';

/** The launcher of prism-media's FFmpeg. */
interface Launcher {
  create(options: { args: string[] }): ChildProcessWithoutNullStreams;
  getInfo(): { readonly command: string };
}

/** Loads prism-media on first use: most programs that stream speech decode nothing. */
async function loadLauncher(): Promise<Launcher> {
  try {
    const { default: prism } = await import(/* @vite-ignore */ /* webpackIgnore: true */ PRISM);
    return prism.FFmpeg;
  } catch (error) {
    const message = `Cannot decode audio: the package '${PRISM}' is not installed. Install it beside the program.`;
    throw new RxscribeError('program-missing', message, { cause: error });
  }
}

/** Formats that ffmpeg may open. Playlists are excluded, because they make it read other files. */
export const FORMATS =
  'aa,aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dsf,dts,dtshd,eac3,flac,flv,gsm,ircam,loas,matroska,mlp,mov,mp3,' +
  'mpc,mpc8,mpeg,mpegts,mxf,nistsphere,nut,ogg,oma,pvf,qcp,rm,sds,sln,sox,spdif,tak,truehd,tta,voc,w64,wav,wtv,wv,xwma';

const BEFORE_INPUT = ['-nostdin', '-nostats', '-loglevel', 'error', '-format_whitelist', FORMATS];
// The WAV header on the pipe carries the rate and the channels of the input. Never request another rate here: ffmpeg's
// resampler aliases at -43 dB.
const AFTER_INPUT = ['-map', '0:a:0', '-c:a', 'pcm_f32le', '-f', 'wav'];

async function* decode(
  input: readonly string[],
  bytes: AsyncIterable<Uint8Array>,
  { signal, onWarning, container, tolerant = false }: DecodeOptions,
): AsyncGenerator<AudioBlock> {
  const launcher = await loadLauncher();
  signal.throwIfAborted();
  const strictness = tolerant ? [] : ['-xerror'];
  const child = startFfmpeg(launcher, container, [...BEFORE_INPUT, ...strictness, ...input, ...AFTER_INPUT]);
  const feeding = feed(bytes, child);
  const end = yield* childBlocks(child, signal);
  feeding.throwIfFailed();
  throwUnlessDecoded(end, { container, tolerant });
  // At this log level ffmpeg is silent unless something is wrong.
  if (end.stderrTail) {
    onWarning({ code: 'audio-damaged', message: `The audio is damaged: ${reasonOf(end.stderrTail)}.` });
  }
}

/** The end of a program that has written audio. */
interface AudioEnd extends ChildEnd {
  readonly frames: number;
}

/**
 * Yields the audio that a program writes to its stdout as WAV, and returns its end. The program is killed when the signal is
 * aborted, even while no block is being requested, and when no more blocks are wanted.
 *
 * @throws RxscribeError as `createWavReader`; the signal's reason
 */
export async function* childBlocks(
  child: ChildProcess,
  signal: AbortSignal,
): AsyncGenerator<AudioBlock, AudioEnd> {
  const ended = watchChild(child);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const reader = createWavReader();
    let frames = 0;
    for await (const output of child.stdout ?? []) {
      const block = reader.push(output);
      if (!block) continue;
      frames += framesOf(block);
      yield block;
    }
    const end = await ended;
    signal.throwIfAborted();
    return { ...end, frames };
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await ended;
  }
}

/**
 * Starts ffmpeg with the launcher of prism-media, without its Duplex: that one hides the exit code and stderr, yields
 * nothing to `for await`, does not close when destroyed, and turns a failed start into an uncaught error.
 */
function startFfmpeg(
  launcher: Launcher,
  container: Container | undefined,
  args: string[],
): ChildProcessWithoutNullStreams {
  if (!findProgram('ffmpeg')) throw ffmpegMissing(container);
  try {
    // The launcher would also run a program of this name in the working directory.
    if (!launcher.getInfo().command.startsWith('./')) return launcher.create({ args });
  } catch (error) {
    throw new RxscribeError('program-failed', `Cannot start ffmpeg: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  throw ffmpegMissing(container);
}

function ffmpegMissing(container: Container | undefined): RxscribeError {
  const found = container ? `it is ${CONTAINER_NAMES[container]}` : 'its format is unknown';
  const remedy =
    'Or convert the audio to a format that needs no other program, such as WAV, FLAC, MP3 or Opus.';
  return programMissing(`decode audio (${found})`, 'ffmpeg', { remedy });
}

/** Writes bytes to the stdin of a child until it stops reading. */
function feed(bytes: AsyncIterable<Uint8Array>, child: ChildProcessWithoutNullStreams) {
  let failure: { readonly error: unknown } | undefined;
  async function* watched() {
    try {
      yield* bytes;
    } catch (error) {
      failure = { error };
      child.kill('SIGKILL');
    }
  }
  // Not awaited: the source may stay silent for ever. When the child stops reading, its exit says why.
  pipeline(watched, child.stdin).catch(() => {});
  return {
    throwIfFailed() {
      if (failure) throw failure.error;
    },
  };
}

/** Throws unless ffmpeg ended well and gave audio. */
function throwUnlessDecoded(
  { code, signal, stderrTail, error, frames }: AudioEnd,
  { container, tolerant }: Pick<DecodeOptions, 'container' | 'tolerant'>,
): void {
  const fail = (errorCode: RxscribeError['code'], problem: string) => {
    throw new RxscribeError(errorCode, `Cannot decode audio: ${problem}.`, { cause: error });
  };
  if (error) fail('program-failed', `ffmpeg did not start (${reasonOf(error)})`);
  if (signal) fail('program-failed', `ffmpeg was killed by ${signal}`);
  if (frames > 0 && (code === 0 || tolerant)) return;
  if (code === 0 && stderrTail === '') fail('audio-empty', 'it has no samples');
  if (stderrTail.includes('matches no streams')) fail('audio-unsupported', 'the media has no audio track');
  if (container === 'mp4' && stderrTail.includes('partial file')) {
    fail('audio-unsupported', 'an MP4 with its index at the end can be read from a file, not from a stream');
  }
  const detail = reasonOf(stderrTail.replace(/not on whitelist '[^']*'/, 'not an audio format'));
  const because = detail === '' ? '' : ` (${detail})`;
  if (frames > 0) fail('audio-corrupt', `it is damaged after frame ${frames}${because}`);
  if (container) fail('audio-corrupt', `the ${container} data is damaged${because}`);
  fail('audio-unsupported', `it is not audio${because}`);
}
