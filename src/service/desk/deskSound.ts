import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createId } from '../../base/ids.ts';
import type { DeskPeaksJson } from '../../protocol/desk.ts';
import { mediaKey, removeSubmitted, submittedKey } from '../jobs/jobObjects.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import {
  audioBytes,
  bytesOfPart,
  DESK_AUDIO,
  DESK_PEAKS,
  DESK_SAMPLE_RATE,
  writeDeskAudio,
} from '../tasks/human/deskAudio.ts';
import { mediaAudio, mediaBlocks } from '../tasks/mediaAudio.ts';
import { conflict, segmentsOf, waitingJob } from './deskContext.ts';

/** A part of the audio file of a job. */
export interface AudioPart {
  readonly bytes: Readable;
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** The audio of jobs that wait for a person: WAV, mono, 16 bits at {@link DESK_SAMPLE_RATE}. */
export interface DeskSound {
  peaks(job: JobRecord): Promise<DeskPeaksJson>;
  /** Returns bytes of the file, `end` inclusive; undefined for a start that it does not have. */
  read(job: JobRecord, range: { start: number; end?: number }): Promise<AudioPart | undefined>;
  /** Returns the samples between two moments in seconds. */
  samples(job: JobRecord, ts: number, endTs: number): Promise<Int16Array>;
}

export function createDeskSound(opened: Promise<OpenStore>): DeskSound {
  const prepare = createPreparation(opened);

  async function peaks(job: JobRecord): Promise<DeskPeaksJson> {
    const { objects } = await opened;
    const key = submittedKey(job.id, DESK_PEAKS);
    const found = await objects.get(key);
    if (found !== undefined) return JSON.parse(found);
    await prepare(job);
    return JSON.parse((await objects.get(key)) ?? refuseEnded());
  }

  /** Bytes of the files by job: each range of a playing file would read the peaks again. */
  const sizes = new Map<string, number>();

  async function sizeOf(job: JobRecord): Promise<number> {
    const size = sizes.get(job.id) ?? audioBytes(await peaks(job));
    if (sizes.size >= MAX_SIZES) sizes.clear();
    sizes.set(job.id, size);
    return size;
  }

  async function read(job: JobRecord, range: { start: number; end?: number }) {
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
    async samples(job, ts, endTs) {
      const part = await read(job, bytesOfPart(ts, endTs));
      if (!part) return new Int16Array();
      const bytes = await buffer(part.bytes);
      const samples = new Int16Array(bytes.length >> 1);
      for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(2 * at);
      return samples;
    },
  };
}

/** Returns a function that makes the audio of a job whose machine part an earlier release has done. */
function createPreparation(opened: Promise<OpenStore>): (job: JobRecord) => Promise<void> {
  const preparing = new Map<string, Promise<void>>();

  async function write(job: JobRecord): Promise<void> {
    try {
      await writeFiles(job);
    } finally {
      // Also after a failure: the end of a job takes its media away from under the decoder.
      await removeIfEnded(job.id);
    }
  }

  async function writeFiles(job: JobRecord): Promise<void> {
    const { objects } = await opened;
    const directory = join(objects.spoolDirectory, createId());
    await mkdir(directory, { mode: 0o700 });
    try {
      const media = await objects.fileOf(mediaKey(job.id), directory);
      if (media === undefined) throw conflict('ended');
      const { signal } = new AbortController();
      const blocks = mediaBlocks(media, { signal, onSeconds: async () => {} });
      const audio = mediaAudio(blocks, { sampleRate: DESK_SAMPLE_RATE });
      const files = await writeDeskAudio(audio, { segments: segmentsOf(job), directory });
      await objects.adopt(submittedKey(job.id, DESK_AUDIO), files.audio);
      // Last, as its presence says that both are there.
      await objects.adopt(submittedKey(job.id, DESK_PEAKS), files.peaks);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Removes files that were written after those of the job had been deleted. */
  async function removeIfEnded(id: string): Promise<void> {
    const store = await opened;
    try {
      await waitingJob(store.db, id);
    } catch (error) {
      await removeSubmitted(store, id);
      throw error;
    }
  }

  return job => {
    const prepared = preparing.get(job.id) ?? write(job).finally(() => preparing.delete(job.id));
    preparing.set(job.id, prepared);
    return prepared;
  };
}

const MAX_SIZES = 1000;

/** The job has ended meanwhile: its files are gone. */
function refuseEnded(): never {
  throw conflict('ended');
}
