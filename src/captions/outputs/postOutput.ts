import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import { type CaptionStep, isKept, type LiveCue, type RetractStep } from '../captionStep.ts';
import type { CaptionOutput, OutputOptions, OutputReport } from './captionOutput.ts';
import { LatestDelivery, RetryLaterError } from './latestDelivery.ts';

/** A caption that waits for its POST. */
export interface QueuedCaption {
  readonly lines: readonly string[];
  /** Milliseconds since 1970-01-01 UTC at which it was spoken, by this machine's clock. */
  readonly spokenAtMs: number;
  /** Time of the injected clock at which it came to the output. */
  readonly takenAtMs: number;
  /** Start of its speech in seconds of the audio. */
  readonly speechTs?: number;
}

/** A POST. A repetition has the same number and the same body. */
export interface CaptionPost {
  readonly sequence: number;
  readonly body: string;
}

/** A service that takes captions by POST. */
export interface PostTarget {
  readonly host: string;
  /** Age of the speech of a caption, in milliseconds, above which it is not sent when it comes. Default: any. */
  readonly maxAgeMs?: number;
  /** Gets the values that the first POST needs, and so tests the connection. */
  begin(signal: AbortSignal): Promise<void>;
  /** Milliseconds since the caption was due. */
  ageMs(caption: QueuedCaption): number;
  /** Makes a new POST. */
  compose(captions: readonly QueuedCaption[]): CaptionPost;
  /** Sends a POST. A rejection is followed by a repetition, except a {@link PostRefusedError}. */
  send(post: CaptionPost, signal: AbortSignal): Promise<void>;
}

/** A POST was refused because of its content, so it is not repeated. */
export class PostRefusedError extends Error {
  override readonly name = 'PostRefusedError';
  /** True when the captions can be sent in another POST. */
  readonly isCurable: boolean;

  constructor(message: string, { isCurable, cause }: { isCurable: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isCurable = isCurable;
  }
}

/** Options of outputs that send captions by POST. */
export interface PostOptions extends OutputOptions {
  /** Name for messages, metrics and `--delay`. */
  readonly name?: string;
  /** Minimum number of milliseconds from the start of one POST to the next. */
  readonly minIntervalMs?: number;
  /** Milliseconds for one POST, after which it has failed. */
  readonly timeoutMs?: number;
  /** Age in milliseconds at which a caption that could not be sent is given up. */
  readonly maxAgeMs?: number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Options of outputs that send captions by POST, with the defaults of a service. */
export type CompletePostOptions = PostOptions &
  Required<Pick<PostOptions, 'name' | 'minIntervalMs' | 'timeoutMs' | 'maxAgeMs'>>;

/** Maximum number of captions that wait: some minutes of speech. */
const MAX_QUEUED = 200;
/** Maximum number of captions in a POST. */
const MAX_IN_POST = 16;
/**
 * Longest time from the first caption of a POST to the last: a POST is given up with its oldest caption, so a longer one would
 * lose captions that are still young.
 */
const MAX_POST_SPAN_MS = 15_000;
/** Longest wait for the interval before each of the last two POSTs: an output is closed within three seconds. */
const MAX_LAST_WAIT_MS = 1000;

interface CurrentPost {
  readonly post: CaptionPost;
  readonly captions: readonly QueuedCaption[];
}

/**
 * Tests the connection to a service.
 *
 * @throws RxscribeError when there is no answer within the timeout, or a refusal
 */
export async function testConnection(
  target: PostTarget,
  { timeoutMs, clock = systemClock }: CompletePostOptions,
): Promise<void> {
  const lateError = () =>
    new RxscribeError('timeout', `'${target.host}' did not answer within ${timeoutMs / 1000} s.`);
  try {
    await withDeadline({ timeoutMs, lateError, clock }, signal => target.begin(signal));
  } catch (error) {
    throw error instanceof RetryLaterError ? error.cause : error;
  }
}

/** An output that sends the captions of `cues` steps in order, each in one POST. */
export class PostOutput implements CaptionOutput {
  readonly name: string;
  readonly showsFinals = true;
  readonly maxAgeMs: number | undefined;
  readonly #target: PostTarget;
  readonly #clock: Clock;
  readonly #options: CompletePostOptions;
  readonly #delivery: LatestDelivery<undefined>;
  #queue: readonly QueuedCaption[] = [];
  /** The POST that is sent or will be repeated. */
  #current: CurrentPost | undefined;
  /** Start of the speech of the last caption in a POST. */
  #sentTs: number | undefined;
  #hasBegun = false;
  /** Time of the injected clock from which the next POST may be sent. */
  #freeAtMs = 0;
  #isClosing = false;
  #shown = 0;
  #skipped = 0;

  constructor(target: PostTarget, options: CompletePostOptions) {
    this.name = options.name;
    this.maxAgeMs = target.maxAgeMs;
    this.#target = target;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
    this.#delivery = new LatestDelivery({
      ...options,
      send: (_, signal) => this.#send(signal),
      // The captions wait in this class, so that those of a POST stay together when newer ones arrive.
      merge: () => undefined,
    });
    this.#delivery.push(undefined);
  }

  take(step: CaptionStep): void {
    if (step.type === 'off') this.#drop();
    if (step.type === 'cues') this.#add(step.cues);
  }

  retract(step: RetractStep): boolean {
    this.#keepWaiting(({ speechTs }) => isKept(speechTs, step));
    return isKept(this.#sentTs, step);
  }

  report(): OutputReport {
    return { ...this.#delivery.report(), shown: this.#shown, skipped: this.#skipped };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#delivery.close();
    this.#drop();
  }

  #add(cues: readonly LiveCue[]): void {
    if (this.#isClosing) return;
    const takenAtMs = this.#clock.now();
    const captions = cues
      .map(({ lines, ...cue }) => ({ ...cue, lines: lines.map(tidy).filter(Boolean), takenAtMs }))
      .filter(({ lines }) => lines.length > 0);
    if (captions.length === 0) return;
    const all = [...this.#queue, ...captions];
    this.#queue = all.slice(-MAX_QUEUED);
    this.#skipped += all.length - this.#queue.length;
    this.#delivery.push(undefined);
  }

  #drop(): void {
    this.#keepWaiting(() => false);
    this.#skipped += this.#current?.captions.length ?? 0;
    this.#current = undefined;
  }

  /** Gives up the other captions that wait. */
  #keepWaiting(keeps: (caption: QueuedCaption) => boolean): void {
    const kept = this.#queue.filter(keeps);
    this.#skipped += this.#queue.length - kept.length;
    this.#queue = kept;
  }

  async #send(signal: AbortSignal): Promise<void> {
    if (!this.#hasBegun) await this.#target.begin(signal);
    this.#hasBegun = true;
    do {
      const waitMs = Math.min(MAX_LAST_WAIT_MS, this.#freeAtMs - this.#clock.now());
      // A delivery that is closed does not wait for the interval.
      if (this.#isClosing && waitMs > 0) await delay(waitMs, { clock: this.#clock, signal });
      this.#giveUpOld();
      this.#current ??= this.#next();
      // The connection is tested even when all captions are too old: the test decides whether the output works again.
      if (this.#current) await this.#sendCurrent(this.#current, signal);
      else if (this.#delivery.report().failure !== undefined) await this.#target.begin(signal);
    } while (this.#isClosing && this.#queue.length > 0);
    if (this.#queue.length > 0) this.#delivery.push(undefined);
  }

  async #sendCurrent(current: CurrentPost, signal: AbortSignal): Promise<void> {
    const { post, captions } = current;
    this.#freeAtMs = this.#clock.now() + this.#options.minIntervalMs;
    try {
      await this.#target.send(post, signal);
    } catch (error) {
      if (error instanceof PostRefusedError && this.#current === current) {
        this.#current = undefined;
        if (error.isCurable) this.#queue = [...captions, ...this.#queue];
        else this.#skipped += captions.length;
      }
      throw error;
    }
    this.#shown += captions.length;
    // Captions that were dropped during the POST were counted as skipped, but were shown.
    if (this.#current === current) this.#current = undefined;
    else this.#skipped -= captions.length;
  }

  #giveUpOld(): void {
    const isYoung = (caption: QueuedCaption) => this.#target.ageMs(caption) <= this.#options.maxAgeMs;
    if (this.#current && !this.#current.captions.every(isYoung)) {
      this.#skipped += this.#current.captions.length;
      this.#current = undefined;
    }
    this.#keepWaiting(isYoung);
  }

  #next(): CurrentPost | undefined {
    const first = this.#queue[0];
    if (!first) return undefined;
    const isApart = ({ spokenAtMs }: QueuedCaption) => spokenAtMs - first.spokenAtMs > MAX_POST_SPAN_MS;
    const end = this.#queue.findIndex((caption, index) => index >= MAX_IN_POST || isApart(caption));
    // The last POST is not repeated, so it takes everything.
    const captions = end < 0 || this.#isClosing ? this.#queue : this.#queue.slice(0, end);
    this.#queue = this.#queue.slice(captions.length);
    this.#sentTs = captions.at(-1)?.speechTs;
    return { post: this.#target.compose(captions), captions };
  }
}

const tidy = (line: string) => oneLine(line).trim();
