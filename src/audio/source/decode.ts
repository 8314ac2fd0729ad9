import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { createWavReader } from '../pcm/wav.ts';
import type { AudioWarning } from './blockSource.ts';
import { type ChildEnd, findProgram, programMissing, watchChild } from './program.ts';
import type { Container } from './sniff.ts';

export interface DecodeOptions {
  /** Aborting kills ffmpeg, also while nobody asks for blocks. */
  readonly signal: AbortSignal;
  readonly onWarning: (warning: AudioWarning) => void;
  /** What the bytes look like: damage is told from what is no audio by it. */
  readonly container?: Container;
  /**
   * Reads on over damage. What cannot be decoded is left out, so that what follows comes early; where ffmpeg says so,
   * there is a warning at the end. Default: damage is an error after what was sound.
   */
  readonly tolerant?: boolean;
}

/**
 * Decodes a file of any kind with ffmpeg, at its own rate and channels.
 *
 * @throws RxscribeError `program-missing`, `program-failed`, `audio-empty`, `audio-unsupported` or `audio-corrupt`
 */
export function decodeFile(path: string, options: DecodeOptions): AsyncGenerator<AudioBlock> {
  // Without the protocol before it a name such as `-y`, `concat:a|b` or `http://…` would be an order.
  return decode(['-protocol_whitelist', 'file', '-i', `file:${path}`], Readable.from([]), options);
}

/**
 * Decodes bytes of any kind with ffmpeg, at their own rate and channels, as they come. No more of them are asked for
 * than ffmpeg takes. Throws what `bytes` throws, and what {@link decodeFile} does.
 */
export function decodeBytes(
  bytes: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<AudioBlock> {
  // By default ffmpeg looks at some seconds of audio before it gives the first.
  const quick = ['-probesize', '32', '-analyzeduration', '0'];
  return decode([...quick, '-protocol_whitelist', 'pipe', '-i', 'pipe:0'], bytes, options);
}

/**
 * Makes ready what the first decoding needs. This blocks for some 100 ms, because prism-media asks ffmpeg for its version
 * synchronously: a server does it before it listens. Without ffmpeg nothing happens.
 */
export async function warmDecoder(): Promise<void> {
  try {
    if (findProgram('ffmpeg')) (await loadLauncher()).getInfo();
  } catch {
    // The first decoding tells why.
  }
}

/** A name apart from its import: bundlers would follow it to packages that it can do without, and fail. */
const PRISM: string = 'prism-media';

/** The launcher of prism-media's FFmpeg. */
interface Launcher {
  create(options: { args: string[] }): ChildProcessWithoutNullStreams;
  getInfo(): unknown;
}

/** Loads it when it is used: most programs that stream speech decode nothing. */
async function loadLauncher(): Promise<Launcher> {
  try {
    const { default: prism } = await import(/* @vite-ignore */ /* webpackIgnore: true */ PRISM);
    return prism.FFmpeg;
  } catch (error) {
    const message = `decode audio: wanted the package ${PRISM} installed beside the program, found none`;
    throw new RxscribeError('program-missing', message, { cause: error });
  }
}

/** Names of what ffmpeg may open. Playlists are not among them: those make it read other files. */
export const FORMATS =
  'aa,aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dsf,dts,dtshd,eac3,flac,flv,gsm,ircam,loas,matroska,mlp,mov,mp3,' +
  'mpc,mpc8,mpeg,mpegts,mxf,nistsphere,nut,ogg,oma,pvf,qcp,rm,sds,sln,sox,spdif,tak,truehd,tta,voc,w64,wav,wtv,wv,xwma';

const BEFORE_INPUT = ['-nostdin', '-nostats', '-loglevel', 'error', '-format_whitelist', FORMATS];
// WAV on the pipe tells the rate and the channels that were found. No other rate is ever asked for: ffmpeg's resampler
// aliases at -43 dB.
const AFTER_INPUT = ['-map', '0:a:0', '-c:a', 'pcm_f32le', '-f', 'wav'];

async function* decode(
  input: readonly string[],
  bytes: AsyncIterable<Uint8Array>,
  { signal, onWarning, container, tolerant = false }: DecodeOptions,
): AsyncGenerator<AudioBlock> {
  const launcher = await loadLauncher();
  signal.throwIfAborted();
  const strictness = tolerant ? [] : ['-xerror'];
  const child = startFfmpeg(launcher, [...BEFORE_INPUT, ...strictness, ...input, ...AFTER_INPUT]);
  const ended = watchChild(child);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const feeding = feed(bytes, child);
    const reader = createWavReader();
    let frames = 0;
    for await (const output of child.stdout) {
      const block = reader.push(output);
      if (block) yield block;
      frames += block ? framesOf(block) : 0;
    }
    const end = await ended;
    signal.throwIfAborted();
    feeding.throwIfFailed();
    judge(end, { frames, container, tolerant });
    // At this log level nothing is said when all is well.
    if (end.complaint) onWarning({ code: 'audio-damaged', message: `decode audio: ${end.complaint}` });
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await ended;
  }
}

/**
 * Starts ffmpeg with the launcher of prism-media's FFmpeg, without the Duplex around it: that one hides the exit code and
 * stderr, gives nothing to `for await`, does not close when destroyed, and lets a failed start become an uncaught error.
 */
function startFfmpeg(launcher: Launcher, args: string[]): ChildProcessWithoutNullStreams {
  // Asked first, because the launcher would go on to programs of this name in the working directory.
  if (!findProgram('ffmpeg')) throw programMissing('decode audio', 'ffmpeg');
  try {
    return launcher.create({ args });
  } catch (error) {
    throw new RxscribeError('program-failed', `decode audio: ffmpeg cannot be started: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Writes bytes to a child for as long as it takes them. */
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
  // That the child takes no more is told by how it ends. Nobody waits for this: the source may be silent for ever.
  pipeline(watched, child.stdin).catch(() => {});
  return {
    throwIfFailed() {
      if (failure) throw failure.error;
    },
  };
}

interface Decoded extends Pick<DecodeOptions, 'container'> {
  readonly frames: number;
  readonly tolerant: boolean;
}

/** Throws unless ffmpeg ended well and gave audio. */
function judge(end: ChildEnd, { frames, container, tolerant }: Decoded): void {
  const { code, signal, complaint, error } = end;
  const fail = (errorCode: RxscribeError['code'], found: string) => {
    throw new RxscribeError(errorCode, `decode audio: ${found}`, { cause: error });
  };
  if (error) fail('program-failed', `ffmpeg cannot be started: ${error.message}`);
  if (signal) fail('program-failed', `ffmpeg was ended by ${signal}`);
  if (frames > 0 && (code === 0 || tolerant)) return;
  if (code === 0 && complaint === '') fail('audio-empty', 'wanted audio, found no samples');
  if (complaint.includes('matches no streams')) fail('audio-unsupported', 'wanted audio, found other media');
  if (container === 'mp4' && complaint.includes('partial file')) {
    fail('audio-unsupported', 'an MP4 with its index at the end can be read as a file, not as a stream');
  }
  const why = complaint.replace(/not on whitelist '[^']*'/, 'of no audio');
  if (frames > 0) fail('audio-corrupt', `found damage after ${frames} frames: ${why}`);
  if (container) fail('audio-corrupt', `found ${container} that cannot be read: ${why}`);
  fail('audio-unsupported', `wanted audio, found something else: ${why}`);
}
