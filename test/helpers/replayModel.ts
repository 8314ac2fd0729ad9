import { expect } from 'vitest';
import type { FrameRange } from '../../src/audio/format/frameRange.ts';
import type { Chunk, ReplayStore } from '../../src/client/spool/spool.ts';

/** 16-bit mono audio in which each frame differs from its neighbours. */
export function bytesAt(startFrame: number, frames: number): Uint8Array {
  const bytes = new Uint8Array(frames * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < frames; at++) view.setUint16(at * 2, ((startFrame + at) * 40_503) & 0xffff);
  return bytes;
}

export function chunkAt(startFrame: number, frames: number): Chunk {
  return { startFrame, frames, bytes: bytesAt(startFrame, frames) };
}

export interface StoreModel extends Pick<ReplayStore, 'headFrame' | 'append' | 'keep' | 'letGo' | 'release'> {
  /** Checks what was read from a frame on. */
  check(read: Chunk | undefined, frame: number, maxFrames: number): void;
  /** Forgets everything, as a new store does. */
  reset(): void;
}

/** The plainest model of a replay store, frame by frame. */
export function storeModel(): StoreModel {
  const given = new Set<number>();
  const keeps = new Map<number, number>();
  let headFrame = 0;
  let mark = 0;
  const eachOf = ({ startFrame, endFrame }: FrameRange, each: (frame: number) => void) => {
    for (let frame = startFrame; frame < endFrame; frame++) each(frame);
  };
  // What was once needed no more may be gone for ever.
  const forget = () => {
    for (const frame of given) if (frame < mark && !keeps.get(frame)) given.delete(frame);
  };
  return {
    get headFrame() {
      return headFrame;
    },
    append({ startFrame, frames }: Chunk) {
      headFrame = startFrame + frames;
      eachOf({ startFrame, endFrame: headFrame }, frame => given.add(frame));
      forget();
    },
    keep: (range: FrameRange) => eachOf(range, frame => keeps.set(frame, (keeps.get(frame) ?? 0) + 1)),
    letGo(range: FrameRange) {
      eachOf(range, frame => keeps.set(frame, Math.max(0, (keeps.get(frame) ?? 0) - 1)));
      forget();
    },
    release(beforeFrame: number) {
      mark = Math.max(mark, beforeFrame);
      forget();
    },
    reset() {
      mark = 0;
      keeps.clear();
    },
    // A page that is needed in part is there as a whole: more than what is needed may be read, never less.
    check(read, frame, maxFrames) {
      const next = [...given].filter(one => one >= frame).sort((a, b) => a - b)[0];
      if (!read) {
        expect(next).toBeUndefined();
        return;
      }
      expect(read.frames).toBeGreaterThan(0);
      expect(read.frames).toBeLessThanOrEqual(maxFrames);
      expect(read.startFrame).toBeGreaterThanOrEqual(frame);
      expect(read.startFrame).toBeLessThanOrEqual(next ?? headFrame);
      expect(read.bytes).toEqual(bytesAt(read.startFrame, read.frames));
      if (read.frames < maxFrames) expect(given.has(read.startFrame + read.frames)).toBe(false);
    },
  };
}
