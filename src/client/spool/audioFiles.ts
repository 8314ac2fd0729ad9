import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { byStart } from '../../audio/format/frameRange.ts';
import { appendFully, damaged, orFileError, readFully } from './fileAccess.ts';
import { type AudioPart, type AudioParts, endOf } from './partStore.ts';
import type { Chunk } from './spool.ts';

/** The audio of one file: samples as sent on the wire, named by its first frame. */
interface Segment extends AudioPart {
  frames: number;
}

/** Bytes after which a new file begins: half a minute at 16 kHz. */
const SEGMENT_BYTES = 1024 * 1024;

const NAME = /^(0|[1-9]\d{0,14})\.audio$/;

/** Returns whether a file of a spool has audio, by its name. */
export function isAudioFile(name: string): boolean {
  return NAME.test(name);
}

/**
 * Audio in files, which keep what was appended when the process is killed. The newest file is never removed: its end is the
 * position of the source.
 */
export class AudioFiles implements AudioParts<Segment> {
  parts: readonly Segment[];
  readonly keepsLast = true;
  readonly #directory: string;
  readonly #frameBytes: number;
  readonly #segmentBytes: number;
  /** The newest file; undefined before the first chunk. */
  #fd: number | undefined;

  /**
   * Opens the files of a directory. What is behind the last whole frame of a file is ignored.
   *
   * @throws RxscribeError `unreadable-input` when files overlap
   */
  constructor(directory: string, frameBytes: number, segmentBytes = SEGMENT_BYTES) {
    this.#directory = directory;
    this.#frameBytes = frameBytes;
    this.#segmentBytes = segmentBytes;
    const names = readdirSync(directory).filter(isAudioFile);
    this.parts = names.map(name => this.#segmentOf(name)).toSorted(byStart);
    const overlapping = this.parts.find((part, at) => at > 0 && part.startFrame < endOf(this.parts[at - 1]!));
    if (overlapping) throw damaged(directory, `${overlapping.startFrame}.audio`);
  }

  write({ startFrame, frames, bytes }: Chunk): void {
    orFileError(`Cannot write spool '${this.#directory}'`, () => {
      const segment = this.#segmentFor(startFrame);
      appendFully(this.#fd!, bytes, segment.frames * this.#frameBytes);
      segment.frames += frames;
    });
  }

  fill(segment: Segment, target: Uint8Array, from: number): void {
    orFileError(`Cannot read spool '${this.#directory}'`, () => {
      const fd = openSync(this.#pathOf(segment), 'r');
      try {
        if (readFully(fd, target, from) < target.length) throw new Error('a file of audio has lost its end');
      } finally {
        closeSync(fd);
      }
    });
  }

  remove(segment: Segment): void {
    const path = this.#pathOf(segment);
    orFileError(`Cannot remove '${path}'`, () => rmSync(path, { force: true }));
  }

  close(): void {
    this.parts = [];
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #pathOf({ startFrame }: AudioPart): string {
    return join(this.#directory, `${startFrame}.audio`);
  }

  #segmentOf(name: string): Segment {
    const { size } = statSync(join(this.#directory, name));
    return { startFrame: Number(NAME.exec(name)![1]), frames: Math.floor(size / this.#frameBytes) };
  }

  /** Returns the newest segment if a frame follows in it, else a new one. */
  #segmentFor(startFrame: number): Segment {
    const last = this.parts.at(-1);
    const hasRoom = last && last.frames * this.#frameBytes < this.#segmentBytes;
    if (hasRoom && this.#fd !== undefined && endOf(last) === startFrame) return last;
    const segment = { startFrame, frames: 0 };
    // The file of an empty segment may exist.
    const fd = openSync(this.#pathOf(segment), 'w', 0o600);
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = fd;
    this.parts = [...this.parts.filter(one => one.startFrame !== startFrame), segment];
    return segment;
  }
}
