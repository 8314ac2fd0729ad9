import { closeSync, readSync, writeSync } from 'node:fs';
import { openUnnamedFile } from '../process/unnamedFile.ts';

/** Audio in a temporary file: an hour is 115 MB, too much for memory. Calls block. */
export interface AudioFile extends Disposable {
  write(samples: Int16Array): void;
  /** Returns the samples between two frames, as far as they exist. */
  read(startFrame: number, endFrame: number): Int16Array;
}

/** Creates a file without a name, which vanishes with the process. */
export function createAudioFile(): AudioFile {
  const file = openUnnamedFile();
  let frames = 0;
  return {
    write(samples) {
      const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(file, bytes, at, bytes.length - at, 2 * frames + at);
      }
      frames += samples.length;
    },
    read(startFrame, endFrame) {
      const samples = new Int16Array(Math.max(0, Math.min(endFrame, frames) - startFrame));
      const bytes = new Uint8Array(samples.buffer);
      for (let at = 0; at < bytes.length; ) {
        at += readSync(file, bytes, at, bytes.length - at, 2 * startFrame + at);
      }
      return samples;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
