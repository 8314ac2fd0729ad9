import { statSync } from 'node:fs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { reasonOf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { createTimer } from '../../base/wait/timer.ts';
import { emptyTranscript, type Transcript } from '../../transcript/model/model.ts';
import type { CaptionStep } from '../captionStep.ts';
import { type Continuation, continueFiles } from '../files/continuation.ts';
import { transcriptEnding } from '../files/transcriptEnding.ts';
import { writeFiles } from '../files/transcriptFiles.ts';
import {
  captionSource,
  TRANSCRIPT_TEXT_DEFAULTS,
  type TranscriptTextOptions,
  transcriptAs,
} from '../files/transcriptText.ts';
import type { CaptionOutput, OutputOptions, OutputReport } from './captionOutput.ts';

export interface FileOutputOptions
  extends OutputOptions,
    Pick<TranscriptTextOptions, 'profile' | 'language'> {
  /** Continues files that are there, as after a restart. Default false: they are replaced by the first caption. */
  readonly isContinued?: boolean;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link FileOutputOptions}. */
export const FILE_OUTPUT_DEFAULTS = {
  ...TRANSCRIPT_TEXT_DEFAULTS,
  isContinued: false,
} as const satisfies FileOutputOptions;

/** Output of live captions to files. */
export interface FileOutput extends CaptionOutput {
  /** The text of continued files: that of an earlier run. */
  readonly earlier: Transcript;
  /**
   * Writes all of the text to all files, also to named pipes, and also when there is none.
   *
   * @throws RxscribeError `store` when a file cannot be written
   */
  save(): Promise<void>;
}

/** Minimum pause between two writes, in milliseconds, and in times of the last write: each writes the whole transcript. */
const PAUSE_MS = 1000;
const PAUSE_SHARE = 20;
/** Longest pause in milliseconds: shorter than a caption, so that a process that is killed loses only one. */
const MAX_PAUSE_MS = 2000;

/**
 * Creates the output of captions to files, each in the format of its ending (`.srt`, `.vtt`, `.ttml`, `.scc`, `.txt`, `.jsonl`,
 * `.json`).
 *
 * Files are replaced atomically, so that each is complete at any time, also after the process was killed. Repairs amend the
 * captions of this run. Continued files keep their text, and the times of this run continue by the wall clock.
 *
 * @throws InvalidArgumentError when a file that is to be continued cannot be read, is damaged, or has another form
 * @example
 * const output = fileOutput(['talk.srt', 'talk.json'], { profile: 'bbc', isContinued: true });
 */
export function fileOutput(paths: readonly string[], options: FileOutputOptions = {}): FileOutput {
  namedOptions('FileOutputOptions', options);
  return new Files(paths, options);
}

class Files implements FileOutput {
  readonly name = 'files';
  readonly showsFinals = true;
  readonly #paths: readonly string[];
  readonly #growing: readonly string[];
  readonly #options: FileOutputOptions;
  readonly #text: TranscriptTextOptions;
  readonly #clock: Clock;
  readonly #timer;
  readonly #counts = { shown: 0, skipped: 0, failures: 0 };
  readonly #continuation: Continuation | undefined;
  #transcript: Transcript = emptyTranscript;
  /** True while the transcript has text that is not in the files. */
  #isPending = false;
  #writing: Promise<void> | undefined;
  #failure: string | undefined;
  /** Last reported note on text that the formats cannot show. */
  #note: string | undefined;
  #isClosed = false;
  #isLast = false;

  constructor(paths: readonly string[], options: FileOutputOptions) {
    const { clock = systemClock, isContinued = FILE_OUTPUT_DEFAULTS.isContinued } = options;
    this.#paths = paths;
    // The reader of a named pipe gets the transcript once, at the end.
    this.#growing = paths.filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() ?? true);
    this.#options = options;
    const captions = captionSource(options);
    this.#text = { ...options, paragraphs: true, captions, onNote: note => this.#noted(note) };
    this.#clock = clock;
    this.#timer = createTimer(clock);
    this.#continuation = isContinued ? continueFiles(this.#growing, clock.wallTime()) : undefined;
  }

  get earlier(): Transcript {
    return this.#continuation?.earlier ?? emptyTranscript;
  }

  take(step: CaptionStep): void {
    if (this.#isClosed) return;
    if (step.type === 'end') {
      this.#timer.stop();
      this.#start();
    } else if (step.type === 'transcript') this.#update(step.transcript);
  }

  /** The next transcript does not have the text. */
  retract(): boolean {
    return true;
  }

  report(): OutputReport {
    return { ...this.#counts, failure: this.#failure };
  }

  async save(): Promise<void> {
    this.#timer.stop();
    await this.#writing;
    this.#timer.stop();
    this.#isPending = false;
    this.#isLast = true;
    await this.#write(this.#paths);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer.stop();
    await this.#writing;
    if (this.#isPending) await this.save().catch(() => {});
  }

  /** Writes the transcript at once, or after a pause; nothing is written before the first words. */
  #update(transcript: Transcript): void {
    if (transcript === this.#transcript || transcript.monologues.length === 0) return;
    if (this.#isPending) this.#counts.skipped++;
    this.#transcript = transcript;
    this.#isPending = true;
    this.#start();
  }

  #start(): void {
    if (this.#isPending && !this.#writing && !this.#timer.isRunning) this.#writing = this.#writeLatest();
  }

  async #writeLatest(): Promise<void> {
    this.#isPending = false;
    const sinceMs = this.#clock.now();
    await this.#write(this.#growing).catch(() => {
      this.#isPending = true;
    });
    this.#writing = undefined;
    if (this.#isClosed) return;
    const pauseMs = Math.max(PAUSE_MS, (this.#clock.now() - sinceMs) * PAUSE_SHARE);
    this.#timer.start(Math.min(pauseMs, MAX_PAUSE_MS), () => this.#start());
  }

  async #write(paths: readonly string[]): Promise<void> {
    const transcript = this.#transcript;
    try {
      await writeFiles(paths, path =>
        this.#continuation
          ? this.#continuation.textOf(path, transcript, this.#text)
          : transcriptAs(transcriptEnding(path) ?? '.txt', transcript, this.#text),
      );
      this.#onWritten();
    } catch (error) {
      this.#onFailed(error);
      throw error;
    }
  }

  /** Reports the first note of the growing files, and the last one at the end. */
  #noted(note: string): void {
    if (note === this.#note || (this.#note !== undefined && !this.#isLast)) return;
    this.#note = note;
    this.#options.onNote?.(note);
  }

  #onWritten(): void {
    this.#counts.shown++;
    if (this.#failure !== undefined) this.#options.onNote?.('The files of the transcript are written again.');
    this.#failure = undefined;
  }

  #onFailed(error: unknown): void {
    this.#counts.failures++;
    const reason = reasonOf(error);
    if (this.#failure === undefined && !this.#isClosed) this.#options.onNote?.(`${reason}.`);
    this.#failure = reason;
  }
}
