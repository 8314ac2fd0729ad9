import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram, programMissing, watchChild } from '../../../audio/source/program.ts';
import { RxscribeError } from '../../../base/errors.ts';

export const OPUS_TYPE = 'audio/ogg; codecs=opus';

const BIT_RATE = '24k';

/** Encodes one channel as Opus in Ogg by ffmpeg; the same samples give the same bytes. */
export interface OpusEncoder {
  /** Samples, in order; resolves when ffmpeg takes more. */
  push(samples: Float32Array): Promise<void>;
  /** The file, or undefined when it is longer than `maxBytes`. Rejects with {@link OpusError}. */
  finish(): Promise<Uint8Array | undefined>;
  /** Ends ffmpeg. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** This ffmpeg cannot encode. */
export class OpusError extends RxscribeError {}

/** @throws RxscribeError `program-missing` without ffmpeg */
export function createOpusEncoder(options: { sampleRate: number; maxBytes: number }): OpusEncoder {
  const { sampleRate, maxBytes } = options;
  const program = findProgram('ffmpeg');
  if (!program) throw programMissing('encode audio', 'ffmpeg');
  const input = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0'];
  const output = ['-c:a', 'libopus', '-b:a', BIT_RATE, '-bitexact', '-f', 'ogg', 'pipe:1'];
  const child = spawn(program, ['-nostats', '-loglevel', 'error', ...input, ...output], { stdio: 'pipe' });
  const ended = watchChild(child);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  child.stdout.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
    else pieces.length = 0;
  });
  return {
    async push(samples) {
      const { buffer, byteOffset, byteLength } = samples;
      const isRoom = child.stdin.write(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
      // That it takes no more is told by how it ends.
      if (!isRoom) await Promise.race([once(child.stdin, 'drain').catch(() => {}), ended]);
    },
    async finish() {
      child.stdin.end();
      const { code, complaint } = await ended;
      if (code !== 0) throw new OpusError('program-failed', `encode audio: ffmpeg failed: ${complaint}`);
      return bytes <= maxBytes ? Buffer.concat(pieces) : undefined;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
