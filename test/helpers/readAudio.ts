import type { Observable } from 'rxjs';
import type { AudioWarning } from '../../src/audio/format/audioWarning.ts';
import { type AudioBlock, framesOf } from '../../src/audio/format/format.ts';

/** Blocks of a source until it completed. */
export interface Reading {
  readonly sampleRate: number;
  readonly channels: number;
  readonly frames: number;
  readonly samples: Float32Array;
}

/** Reads a source to its end; rejects with its error, and when its blocks do not follow each other. */
export function readAudio(source: Observable<AudioBlock>): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const blocks: AudioBlock[] = [];
    let frames = 0;
    source.subscribe({
      next(block) {
        if (block.startFrame !== frames)
          reject(new Error(`wanted frame ${frames}, found ${block.startFrame}`));
        frames += framesOf(block);
        blocks.push(block);
      },
      error: reject,
      complete() {
        const { sampleRate = 0, channels = 0 } = blocks[0] ?? {};
        const samples = Float32Array.from(blocks.flatMap(block => [...block.samples]));
        resolve({ sampleRate, channels, frames, samples });
      },
    });
  });
}

/** Collects warnings. */
export function warningList(): {
  readonly codes: string[];
  readonly onWarning: (warning: AudioWarning) => void;
} {
  const codes: string[] = [];
  return { codes, onWarning: warning => codes.push(warning.code) };
}

/** Returns the length of each gap between blocks that follow each other, in seconds. */
export function gapsOf(blocks: readonly AudioBlock[]): readonly number[] {
  return blocks.slice(1).flatMap((block, i) => {
    const before = blocks[i] ?? block;
    const missing = block.startFrame - before.startFrame - framesOf(before);
    return missing === 0 ? [] : [missing / block.sampleRate];
  });
}

/** Returns how alike two sounds are, from 0 to 1, when the second begins a number of samples later. */
export function likeness(one: Float32Array, other: Float32Array, lag = 0): number {
  let [both, first, second] = [0, 0, 0];
  for (let i = 0; i + lag < other.length && i < one.length; i++) {
    both += one[i]! * other[i + lag]!;
    first += one[i]! ** 2;
    second += other[i + lag]! ** 2;
  }
  return both / Math.sqrt(first * second);
}
