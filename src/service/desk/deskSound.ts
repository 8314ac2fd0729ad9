import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DeskPeaksJson } from '../../protocol/desk.ts';
import { submittedKey } from '../jobs/jobObjects.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { audioBytes, bytesOfPart, DESK_AUDIO, DESK_PEAKS } from '../tasks/human/deskAudio.ts';
import { conflict } from './deskContext.ts';

/** A part of the audio file of a job. */
export interface AudioPart {
  readonly bytes: Readable;
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Maximum number of jobs whose size of audio is remembered. */
const MAX_SIZES = 1000;

/** The audio of jobs that wait for a person: WAV, mono, 16 bits at 16 kHz. */
export type DeskSound = ReturnType<typeof createDeskSound>;

export function createDeskSound(opened: Promise<OpenStore>) {
  async function peaks(job: JobRecord): Promise<DeskPeaksJson> {
    const { objects } = await opened;
    return JSON.parse((await objects.get(submittedKey(job.id, DESK_PEAKS))) ?? refuseEnded());
  }

  /** Bytes of the files by job. Without this cache, each range of a playing file would read the peaks again. */
  const sizes = new Map<string, number>();

  async function sizeOf(job: JobRecord): Promise<number> {
    const size = sizes.get(job.id) ?? audioBytes(await peaks(job));
    if (sizes.size >= MAX_SIZES) sizes.clear();
    sizes.set(job.id, size);
    return size;
  }

  /** Returns bytes of the file, `end` inclusive; undefined for a start that it does not have. */
  async function read(
    job: JobRecord,
    range: { start: number; end?: number },
  ): Promise<AudioPart | undefined> {
    const { objects } = await opened;
    const size = await sizeOf(job);
    const { start } = range;
    const end = Math.min(range.end ?? size - 1, size - 1);
    if (start > end) return undefined;
    const bytes = (await objects.read(submittedKey(job.id, DESK_AUDIO), { start, end })) ?? refuseEnded();
    return { bytes, start, end, size };
  }

  return {
    peaks,
    read,
    /** Returns the samples between two moments in seconds. */
    async samples(job: JobRecord, ts: number, endTs: number): Promise<Int16Array> {
      const part = await read(job, bytesOfPart(ts, endTs));
      if (!part) return new Int16Array();
      const bytes = await buffer(part.bytes);
      const samples = new Int16Array(bytes.length >> 1);
      for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(2 * at);
      return samples;
    },
  };
}

/** Throws the problem of a job whose files are deleted, as it ended meanwhile. */
function refuseEnded(): never {
  throw conflict('ended');
}
