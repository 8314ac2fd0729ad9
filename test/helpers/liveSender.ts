import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { freePorts } from './freePorts.ts';

/** Hz at the start of the tone of a sender, and by how much it rises each second. */
const TONE = { startHz: 200, hzPerSecond: 10 } as const;

/** A program that sends audio in real time, whose tone rises so that it shows the time since the start. */
export interface LiveSender extends AsyncDisposable {
  readonly output: Readable;
  /** Resolves when the program has ended. */
  kill(): Promise<void>;
}

/**
 * Starts ffmpeg as a sender; the arguments are the codec, the format and the place. It is started again when it fails, as a
 * sender does whose receiver does not listen yet.
 */
export function startSender(...args: readonly string[]): LiveSender {
  const tone = `0.5*sin(2*PI*(${TONE.startHz}*t+${TONE.hzPerSecond / 2}*t*t))`;
  const input = ['-re', '-f', 'lavfi', '-i', `aevalsrc=${tone}:s=48000`];
  const start = () =>
    spawn('ffmpeg', ['-nostdin', '-loglevel', 'quiet', ...input, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  let child = start();
  let isOver = false;
  const { output, ended } = { output: child.stdout, ended: Promise.withResolvers<void>() };
  const watch = () =>
    child.once('exit', code => {
      if (isOver || code === 0) return ended.resolve();
      setTimeout(() => {
        if (isOver) return ended.resolve();
        child = start();
        watch();
      }, RETRY_MS);
    });
  watch();
  const kill = async () => {
    isOver = true;
    child.kill('SIGKILL');
    await ended.promise;
  };
  return { output, kill, [Symbol.asyncDispose]: kill };
}

const RETRY_MS = 100;

/** Returns the time, in seconds since the start of the sender, in the middle of samples of its tone. */
export function toneSeconds(samples: Float32Array, sampleRate: number): number {
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i - 1]! < 0 && samples[i]! >= 0) crossings++;
  return ((crossings * sampleRate) / samples.length - TONE.startHz) / TONE.hzPerSecond;
}

/** Resolves with a port that is free for TCP and probably for UDP: ffmpeg cannot choose one. */
export async function freeLivePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
