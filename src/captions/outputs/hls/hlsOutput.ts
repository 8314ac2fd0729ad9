import { type Clock, systemClock } from '../../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../../base/errors.ts';
import { createTimer } from '../../../base/wait/timer.ts';
import { settledWithin, withDeadline } from '../../../base/wait/withTimeout.ts';
import type { PerChannel } from '../../../transcript/model/events.ts';
import { type CaptionStep, isKept, type LiveCue, type RetractStep } from '../../captionStep.ts';
import type { CaptionOutput, OutputReport } from '../captionOutput.ts';
import { type CaptionDirectory, captionDirectory } from './captionDirectory.ts';
import { HLS_DEFAULTS, type HlsOptions, requireHlsOptions } from './hlsOptions.ts';
import { dueSegments, type HlsWindow, isContinuous, trimmed, withVideo } from './hlsWindow.ts';
import type { MediaSegment } from './mediaPlaylist.ts';
import { cuesOfSegment, type DatedCue, segmentText, withCue } from './segmentCues.ts';
import { type VideoSource, videoSource } from './videoSource.ts';

/** Minimum number of milliseconds between two readings of the video's playlist, and after a failure. */
const LEAST_INTERVAL_MS = 500;
const RETRY_MS = 2000;
/** Milliseconds for one reading of the video and the writing that follows. */
const TIMEOUT_MS = 10_000;
/** Milliseconds for the remaining captions when the output is closed. */
const CLOSE_MS = 3000;
/** Milliseconds for which the notice of an outage is shown. */
const NOTICE_MS = 4000;

/**
 * Writes captions as segmented WebVTT beside a live HLS video: a playlist with a segment for each of the video, in time with
 * it by its dates and presentation times. A segment is written once, when its captions should be there, and never changes.
 *
 * While the video cannot be read, captions wait. A later run with the same directory continues its playlist.
 *
 * @throws InvalidArgumentError for options that cannot be used
 * @example
 * const output = hlsOutput({ directory: 'live', video: 'live/video.m3u8', language: 'en' });
 */
export function hlsOutput(options: HlsOptions): CaptionOutput {
  requireHlsOptions(options);
  return new HlsOutput(options);
}

class HlsOutput implements CaptionOutput {
  readonly name = 'hls';
  readonly showsFinals = true;
  readonly #options: HlsOptions;
  readonly #clock: Clock;
  readonly #video: VideoSource;
  readonly #directory: CaptionDirectory;
  readonly #timer;
  readonly #closing = new AbortController();
  readonly #counts = { shown: 0, skipped: 0, failures: 0 };
  #failure: string | undefined;
  #window: HlsWindow | undefined;
  #waiting: readonly DatedCue[] = [];
  /** Start of the speech of the last written caption, in seconds of the audio. */
  #writtenTs: number | undefined;
  /** End of the last written caption of each channel on the video's clock, in milliseconds. */
  #busyUntilMs: PerChannel<number> = [];
  /** A date on the video's clock with its presentation time; valid until the next discontinuity. */
  #anchor: { readonly startMs: number; readonly seconds: number } | undefined;
  /** Time of the clock at which the end of the video was seen. */
  #endedAtMs: number | undefined;
  #isOver = false;
  #isOpen = false;
  #running: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(options: HlsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#video = videoSource(options.video);
    this.#directory = captionDirectory(options.directory, options.name ?? HLS_DEFAULTS.name);
    this.#timer = createTimer(this.#clock);
    this.#run();
  }

  take(step: CaptionStep): void {
    if (step.type === 'cues') for (const cue of step.cues) this.#add(datedCue(cue));
    else if (step.type === 'notice') this.#add(noticeCue(step.text, this.#clock.wallTime()));
    else if (step.type === 'off') this.#waiting = [];
    else if (step.type === 'end') this.#isOver = true;
  }

  retract(step: RetractStep): boolean {
    this.#waiting = this.#waiting.filter(({ ts, speechTs }) => ts !== undefined || isKept(speechTs, step));
    return isKept(this.#writtenTs, step);
  }

  report(): OutputReport {
    return { ...this.#counts, failure: this.#failure };
  }

  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  #add(cue: DatedCue): void {
    const shiftMs = (this.#options.shiftSeconds ?? HLS_DEFAULTS.shiftSeconds) * 1000;
    const shifted = { ...cue, startMs: cue.startMs + shiftMs, endMs: cue.endMs + shiftMs };
    const before = this.#waiting.length;
    this.#waiting = withCue(this.#waiting, shifted);
    if (this.#waiting.length === before) this.#counts.skipped++;
  }

  /** Follows the video once, and again after an interval. */
  #run(): void {
    this.#running = this.#follow().then(intervalMs => {
      if (!this.#closed) this.#timer.start(intervalMs, () => this.#run());
    });
  }

  /** Resolves with the milliseconds until the next reading. Never rejects. */
  async #follow({ isLast = false } = {}): Promise<number> {
    try {
      const lateError = () =>
        new RxscribeError('timeout', `the video did not answer within ${TIMEOUT_MS / 1000} s`);
      const deadline = { timeoutMs: TIMEOUT_MS, lateError, clock: this.#clock, signal: this.#closing.signal };
      const { targetDurationSeconds } = await withDeadline(deadline, signal =>
        this.#writeDue(signal, isLast),
      );
      if (this.#failure !== undefined) this.#options.onNote?.('Output hls works again.');
      this.#failure = undefined;
      return Math.max(LEAST_INTERVAL_MS, targetDurationSeconds * 500);
    } catch (error) {
      this.#counts.failures++;
      const reason = reasonOf(error);
      if (this.#failure === undefined) this.#options.onNote?.(`Output hls fails: ${reason}.`);
      this.#failure = reason;
      return RETRY_MS;
    }
  }

  /** Writes the due segments, or all segments of the video. */
  async #writeDue(signal: AbortSignal, isLast: boolean): Promise<HlsWindow> {
    if (!this.#isOpen) await this.#open();
    const playlist = await this.#video.playlist(signal);
    this.#window = withVideo(this.#window, playlist);
    const delaySegments = this.#delayOf(this.#window, isLast);
    const isEnded = this.#window.isEnded && delaySegments === 0;
    const listed = new Set(playlist.segments.map(({ sequence }) => sequence));
    for (const segment of dueSegments(this.#window, delaySegments)) {
      const before = this.#window.segments[this.#window.written - 1];
      const isNewTimeline = !before || !isContinuous(before, segment);
      await this.#write(segment, { isListed: listed.has(segment.sequence), isNewTimeline }, signal);
      this.#window = { ...this.#window, written: this.#window.written + 1 };
    }
    this.#window = trimmed(this.#window);
    if (this.#window.written > 0) await this.#directory.list(this.#window, isEnded);
    await this.#directory.saveCues(this.#waiting);
    return this.#window;
  }

  async #open(): Promise<void> {
    this.#window = await this.#directory.open();
    const saved = await this.#directory.savedCues();
    this.#waiting = [...saved.map(cue => ({ ...cue, speechTs: undefined })), ...this.#waiting];
    this.#isOpen = true;
  }

  /** Returns the delay in segments; once the video has ended, its last segments are written at their pace. */
  #delayOf({ targetDurationSeconds, isEnded }: HlsWindow, isLast: boolean): number {
    const { delaySegments = HLS_DEFAULTS.delaySegments } = this.#options;
    this.#endedAtMs = isEnded ? (this.#endedAtMs ?? this.#clock.now()) : undefined;
    if (isLast || (isEnded && this.#isOver)) return 0;
    if (this.#endedAtMs === undefined) return delaySegments;
    const passed = (this.#clock.now() - this.#endedAtMs) / (targetDurationSeconds * 1000);
    return Math.max(0, delaySegments - Math.floor(passed));
  }

  async #write(
    segment: MediaSegment,
    { isListed, isNewTimeline }: { readonly isListed: boolean; readonly isNewTimeline: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    if (isNewTimeline) this.#anchor = undefined;
    const endMs = segment.startMs + segment.durationSeconds * 1000;
    const isEmpty = this.#waiting.every(({ startMs }) => startMs >= endMs);
    const seconds = isEmpty ? undefined : await this.#timeOf(segment, isListed, signal);
    // Captions that arrive during the write belong to later segments.
    const { cues, waiting, skipped, busyUntilMs } = cuesOfSegment(this.#waiting, segment, this.#busyUntilMs);
    const timed = cues.map(cue => withTime(cue, segment, seconds, isNewTimeline));
    const shown = timed.filter(({ ts }) => ts !== undefined);
    this.#waiting = waiting.map(cue => timed[cues.indexOf(cue)] ?? cue);
    this.#writtenTs = shown.findLast(({ speechTs }) => speechTs !== undefined)?.speechTs ?? this.#writtenTs;
    try {
      await this.#directory.write(segment, segmentText(shown));
    } catch (error) {
      const gone = shown.filter(cue => !this.#waiting.includes(cue));
      this.#waiting = [...gone, ...this.#waiting];
      throw error;
    }
    this.#busyUntilMs = busyUntilMs;
    const lost = timed.length - shown.length;
    this.#counts.shown += cues.filter(({ ts }) => ts === undefined).length - lost;
    this.#counts.skipped += skipped + lost;
  }

  /** Resolves with the presentation time of a segment; undefined when the video has dropped it unread. */
  async #timeOf(segment: MediaSegment, isListed: boolean, signal: AbortSignal): Promise<number | undefined> {
    try {
      const seconds = await this.#video.firstTime(segment, signal);
      this.#anchor = { startMs: segment.startMs, seconds };
      return seconds;
    } catch (error) {
      if (this.#anchor) return this.#anchor.seconds + (segment.startMs - this.#anchor.startMs) / 1000;
      if (isListed) throw error;
      return undefined;
    }
  }

  async #finish(): Promise<void> {
    this.#timer.stop();
    const finished = this.#running.then(async () => {
      await this.#follow({ isLast: true });
    });
    await settledWithin(CLOSE_MS, finished, this.#clock);
    this.#closing.abort(new RxscribeError('aborted', 'the video did not answer before the end'));
    await finished;
  }
}

function datedCue({ ts, endTs, lines, speaker, channel, spokenAtMs, speechTs = ts }: LiveCue): DatedCue {
  return { startMs: spokenAtMs, endMs: spokenAtMs + (endTs - ts) * 1000, lines, speaker, channel, speechTs };
}

/** Returns a caption with its presentation time; unchanged when the time of the segment is unknown. */
function withTime(
  cue: DatedCue,
  { startMs }: MediaSegment,
  seconds: number | undefined,
  isNewTimeline: boolean,
): DatedCue {
  const isTimed = cue.ts !== undefined && !isNewTimeline;
  return seconds === undefined || isTimed ? cue : { ...cue, ts: seconds + (cue.startMs - startMs) / 1000 };
}

function noticeCue(text: string, nowMs: number): DatedCue {
  return { startMs: nowMs, endMs: nowMs + NOTICE_MS, lines: [text], isNotice: true };
}
