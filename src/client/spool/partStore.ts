import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import { type FrameRange, rangeWithout, sharedRange } from '../../audio/format/frameRange.ts';
import { countLeading } from '../../base/countLeading.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { Chunk, ReplayStore } from './spool.ts';

/** Consecutive audio in one place. */
export interface AudioPart {
  readonly startFrame: number;
  readonly frames: number;
}

/**
 * The places of audio.
 *
 * Everything is synchronous: a write goes to the page cache of the system within tens of microseconds, calls keep their order,
 * and there is no queue of writes that memory would have to hold as well.
 */
export interface AudioParts<Part extends AudioPart> {
  /** In order. */
  parts: readonly Part[];
  /** True when the newest part is never removed. */
  readonly keepsLast?: boolean;
  /** Adds a chunk at the end, or fails without any effect. */
  write(chunk: Chunk): void;
  /** Fills bytes with audio of a part, from a byte of the part on. */
  fill(part: Part, target: Uint8Array, from: number): void;
  /** Frees the place of a part that is no longer in the list. */
  remove(part: Part): void;
  close(): void;
}

export function endOf({ startFrame, frames }: AudioPart): number {
  return startFrame + frames;
}

export function rangeOf(part: AudioPart): FrameRange {
  return { startFrame: part.startFrame, endFrame: endOf(part) };
}

/** A store of audio in parts, each of which stays as long as any of its frames is needed. */
export class PartStore<Part extends AudioPart> implements ReplayStore {
  readonly #audio: AudioParts<Part>;
  readonly #frameBytes: number;
  #headFrame: number;
  /** Frames before it are needed only where they are kept. */
  #mark = 0;
  #kept: readonly FrameRange[] = [];
  #isClosed = false;

  constructor(format: PcmFormat, audio: AudioParts<Part>) {
    this.#audio = audio;
    this.#frameBytes = bytesPerFrame(format);
    const last = audio.parts.at(-1);
    this.#headFrame = last ? endOf(last) : 0;
  }

  get headFrame(): number {
    return this.#headFrame;
  }

  append(chunk: Chunk): void {
    this.#check(chunk);
    const before = this.#audio.parts.length;
    this.#audio.write(chunk);
    this.#headFrame = endOf(chunk);
    if (this.#audio.parts.length > before) this.#tidy();
  }

  read(frame: number, maxFrames: number): Chunk | undefined {
    const { parts } = this.#audio;
    let first = countLeading(parts, part => endOf(part) <= frame);
    // The file of a process that was killed may have no audio.
    while (parts[first]?.frames === 0) first++;
    const startFrame = Math.max(frame, parts[first]?.startFrame ?? 0);
    const limitFrame = startFrame + maxFrames;
    let endFrame = startFrame;
    let next = first;
    while (next < parts.length && endFrame < limitFrame && parts[next]!.startFrame <= endFrame) {
      endFrame = Math.min(limitFrame, endOf(parts[next++]!));
    }
    const frames = endFrame - startFrame;
    if (frames === 0) return undefined;
    const bytes = new Uint8Array(frames * this.#frameBytes);
    for (const part of parts.slice(first, next)) {
      const from = Math.max(startFrame, part.startFrame);
      const to = Math.min(endFrame, endOf(part));
      const at = (oneFrame: number) => (oneFrame - startFrame) * this.#frameBytes;
      this.#audio.fill(part, bytes.subarray(at(from), at(to)), (from - part.startFrame) * this.#frameBytes);
    }
    return { startFrame, frames, bytes };
  }

  release(beforeFrame: number): void {
    this.#mark = Math.max(this.#mark, beforeFrame);
    this.#tidy();
  }

  keep(range: FrameRange): void {
    if (range.startFrame < range.endFrame) this.#kept = [...this.#kept, range];
  }

  /** Undoes one `keep` of each frame: a frame that was kept twice stays kept once. */
  letGo(range: FrameRange): void {
    let rest: readonly FrameRange[] = [range];
    this.#kept = this.#kept.flatMap(one => {
      const shared = rest.flatMap(part => sharedRange(one, part) ?? []);
      rest = rest.flatMap(part => rangeWithout(part, shared));
      return rangeWithout(one, shared);
    });
    this.#tidy();
  }

  close(): void {
    this.#isClosed = true;
    this.#audio.close();
  }

  #check({ startFrame, frames, bytes }: Chunk): void {
    if (this.#isClosed) throw new RxscribeError('invalid-state', 'Cannot keep audio: the store is closed.');
    const wanted = frames * this.#frameBytes;
    // Called for each chunk: no message is made without a fault.
    if (bytes.length === wanted && startFrame >= this.#headFrame) return;
    throw new InvalidArgumentError(
      bytes.length === wanted
        ? `A chunk must start at frame ${this.#headFrame} or later, not at ${startFrame}.`
        : `A chunk of ${frames} frames must have ${wanted} bytes, not ${bytes.length}.`,
    );
  }

  #tidy(): void {
    const { parts, keepsLast } = this.#audio;
    const last = keepsLast ? parts.at(-1) : undefined;
    const isNeeded = (part: Part) =>
      part === last ||
      endOf(part) > this.#mark ||
      this.#kept.some(range => sharedRange(range, rangeOf(part)) !== undefined);
    const unneeded = parts.filter(part => !isNeeded(part));
    if (unneeded.length === 0) return;
    this.#audio.parts = parts.filter(isNeeded);
    for (const part of unneeded) this.#audio.remove(part);
  }
}
