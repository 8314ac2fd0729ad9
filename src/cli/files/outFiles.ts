import { statSync } from 'node:fs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { createTimer } from '../../base/wait/timer.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { CaptionWarning } from '../print/captionView.ts';
import { writeTranscriptFiles } from './transcriptFile.ts';

/** Between one write and the next: a second, or so many times as long as writing took, since each writes the whole. */
const PAUSE_MS = 1000;
const PAUSE_SHARE = 20;

export interface OutFilesOptions {
  /** Told when a file cannot be written, once until it can. */
  readonly onWarning: (warning: CaptionWarning) => void;
  /** Default the system's. */
  readonly clock?: Clock;
}

/** The files of a transcript that is growing. */
export interface OutFiles {
  /** Writes what there is so far: at once, or soon after the last time. Nothing before there are words. */
  update(transcript: Transcript): void;
  /**
   * Writes the whole transcript, and nothing after that.
   *
   * @throws RxscribeError `store` when a file cannot be written
   */
  close(transcript: Transcript): Promise<void>;
}

/** Keeps files up to date with a transcript, each whole at any time, so that a process that is killed leaves its words. */
export function outFiles(paths: readonly string[], options: OutFilesOptions): OutFiles {
  const { onWarning, clock = systemClock } = options;
  // Whoever reads a pipe is to get the transcript once.
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
