import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { containerBlocks } from '../../src/audio/source/containerBlocks.ts';
import { RxscribeError } from '../../src/base/errors.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/audio');

/** Names of the recordings in `fixtures/audio`. */
export const RECORDINGS = readdirSync(FIXTURES).filter(name => name !== 'README.md');

/** Returns the path of a recording. */
export function recordingPath(name: string): string {
  return join(FIXTURES, name);
}

/** Returns the bytes of a recording. */
export function recordingBytes(name: string): Buffer {
  return readFileSync(recordingPath(name));
}

/** Samples and warnings of some bytes, read without any program. */
export interface NativeReading {
  readonly sampleRate: number;
  readonly channels: number;
  readonly samples: Float32Array;
  readonly warnings: readonly string[];
  /** Code of the error with which it ended, `ffmpeg` where another program would read it. */
  readonly error?: string;
}

/** Reads pieces of bytes; any error but those of unreadable audio is thrown. */
export async function readNatively(pieces: Iterable<Uint8Array>): Promise<NativeReading> {
  const parts: Float32Array[] = [];
  const warnings: string[] = [];
  let format = { sampleRate: 0, channels: 0 };
  let error: string | undefined;
  try {
    const options = {
      signal: new AbortController().signal,
      onWarning: ({ code }: { code: string }) => void warnings.push(code),
      decode: () => {
        throw new RxscribeError('program-missing', 'Needs ffmpeg.');
      },
    };
    for await (const { samples, sampleRate, channels } of containerBlocks(inOrder(pieces), options)) {
      format = { sampleRate, channels };
      parts.push(samples.slice());
    }
  } catch (thrown) {
    if (!(thrown instanceof RxscribeError)) throw thrown;
    error = thrown.code;
  }
  return { ...format, samples: joined(parts), warnings, ...(error && { error }) };
}

/** Cuts bytes into pieces of the sizes that `next` returns. */
export function* cutBytes(bytes: Uint8Array, next: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = next();
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function* inOrder(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
