import { statSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { createTimer } from '../../base/wait/timer.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { writeTranscriptFiles } from './transcriptFile.ts';

/** Least pause between two writes, in milliseconds, and in times of the last write: each writes the whole transcript. */
const PAUSE_MS = 1000;
const PAUSE_SHARE = 20;

export interface OutFilesOptions {
  /** Called when a file cannot be written, once until it can. */
  readonly onWarning: (warning: { readonly code: 'out-failed'; readonly message: string }) => void;
  readonly clock: Clock;
}

/** The files of a growing transcript. */
export interface OutFiles {
  /** Writes the transcript at once, or after a pause; nothing is written before the first words. */
  update(transcript: Transcript): void;
  /**
   * Writes the whole transcript; later updates are ignored.
   *
   * @throws RxscribeError `store` when a file cannot be written
   */
  close(transcript: Transcript): Promise<void>;
}

/** Saves a growing transcript to files, each complete at any time, so that a killed process leaves its words. */
export function outFiles(paths: readonly string[], { onWarning, clock }: OutFilesOptions): OutFiles {
  // The reader of a named pipe gets the transcript once, at the end.
  const growing = paths.filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() ?? true);
  const timer = createTimer(clock);
  let latest: Transcript | undefined;
  let writing: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;

  async function writeLatest(): Promise<void> {
    const transcript = latest!;
    latest = undefined;
    const sinceMs = clock.now();
    try {
      await writeTranscriptFiles(growing, transcript);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) onWarning({ code: 'out-failed', message: messageOf(error) });
      isFailing = true;
    }
    writing = undefined;
    if (isClosed) return;
    timer.start(Math.max(PAUSE_MS, (clock.now() - sinceMs) * PAUSE_SHARE), start);
  }

  function start(): void {
    if (latest && !writing && !timer.isRunning) writing = writeLatest();
  }

  return {
    update(transcript) {
      if (isClosed || growing.length === 0 || transcript.monologues.length === 0) return;
      latest = transcript;
      start();
    },
    async close(transcript) {
      isClosed = true;
      timer.stop();
      await writing;
      await writeTranscriptFiles(paths, transcript);
    },
  };
}
