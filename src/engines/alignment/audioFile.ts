import { closeSync, readSync, writeSync } from 'node:fs';
import { openUnnamedFile } from '../process/unnamedFile.ts';

/** Audio that waits in a file: an hour is 115 MB, too much to be held in memory. Calls block. */
export interface AudioFile extends Disposable {
  write(samples: Int16Array): void;
  /** Returns the samples from one frame up to another, as far as there are any. */
  read(startFrame: number, endFrame: number): Int16Array;
}

/** A file without a name, which is gone when the process is. */
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
