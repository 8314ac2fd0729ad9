import { type Clock, systemClock } from '../../base/clock.ts';
import { reasonOf, refuseIf, requirePositive } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { type AddressAnswer, askAddress, captionAddress, refusal, statusError } from './captionAddress.ts';
import type { CaptionOutput } from './captionOutput.ts';
import { addressKind, type OutputKind } from './outputKind.ts';
import {
  type CaptionPost,
  type CompletePostOptions,
  type PostOptions,
  PostOutput,
  PostRefusedError,
  type PostTarget,
  type QueuedCaption,
  testConnection,
} from './postOutput.ts';
import { type ServerClock, skewMs, withReading } from './serverClock.ts';

/** Options of {@link youtubeOutput}. */
export interface YouTubeOptions extends PostOptions {
  /**
   * Caption address of the broadcast, from YouTube Studio. It is a secret. YouTube shows it with `http:`; it is used with
   * `https:`. A relay on this machine may have `http:`.
   */
  readonly address: string;
  /** Milliseconds by which the picture reaches YouTube after the sound reaches rxscribe. Default 0. */
  readonly offsetMs?: number;
  /** Region and cue to send with each time, such as `reg1#cue1`. Default none, which is right for almost all broadcasts. */
  readonly region?: string;
}

/** Defaults of {@link YouTubeOptions}. */
export const YOUTUBE_DEFAULTS = {
  name: 'youtube',
  offsetMs: 0,
  minIntervalMs: 1000,
  timeoutMs: 5000,
  // YouTube refuses times of more than 60 s ago.
  maxAgeMs: 55_000,
} as const satisfies Partial<YouTubeOptions>;

const RULES = {
  service: 'YouTube',
  domain: 'youtube.com',
  queries: [['cid'], ['id', 'signature']],
  upgradesHttp: true,
} as const;

/** Largest offset: times may be at most 60 s from YouTube's clock. */
const MAX_OFFSET_MS = 55_000;

/**
 * Checks the options of {@link youtubeOutput}, without a connection.
 *
 * @throws InvalidArgumentError for an address that cannot be one of YouTube, or an option out of range
 */
export function checkYouTubeOptions(options: YouTubeOptions): void {
  namedOptions('YouTubeOptions', options);
  captionAddress(options.address, RULES);
  const { offsetMs = YOUTUBE_DEFAULTS.offsetMs, region, maxAgeMs = YOUTUBE_DEFAULTS.maxAgeMs } = options;
  const range = `from ${-MAX_OFFSET_MS} to ${MAX_OFFSET_MS}`;
  const isInRange = Math.abs(offsetMs) <= MAX_OFFSET_MS;
  refuseIf(!isInRange, `Option 'offsetMs' must be a number ${range}, not ${offsetMs}.`);
  const isRegion = region === undefined || /^\w+(#\w+)?$/.test(region);
  refuseIf(!isRegion, `Option 'region' must be like 'reg1#cue1', not '${region}'.`);
  requirePositive('maxAgeMs', maxAgeMs);
}

/**
 * Sends finished captions to the caption address of a YouTube broadcast, each with the time at which it was spoken, so that
 * viewers see them in time although they are sent later. The broadcast needs a delay of about 30 s (YouTube Studio: captions,
 * "POST captions to URL"). Takes `cues` steps.
 *
 * Times are corrected to YouTube's clock, which its answers show. Captions that cannot be sent within `maxAgeMs` are given up.
 * Source of the protocol: "Live Caption Vendor info", YouTube Help.
 *
 * @throws InvalidArgumentError as {@link checkYouTubeOptions}
 * @example
 * const output = youtubeOutput({ address: process.env.YOUTUBE_ADDRESS!, onNote: note => console.error(note) });
 */
export function youtubeOutput(options: YouTubeOptions): CaptionOutput {
  checkYouTubeOptions(options);
  const all = { ...YOUTUBE_DEFAULTS, ...options };
  return new PostOutput(new YouTubeTarget(all), all);
}

/**
 * Sends an empty POST to a caption address, as YouTube provides for tests. Resolves with a sentence on the clock of YouTube.
 *
 * @throws RxscribeError when there is no answer, or a refusal
 * @example
 * console.log(await checkYouTube({ address: process.env.YOUTUBE_ADDRESS! }));
 */
export async function checkYouTube(options: YouTubeOptions): Promise<string> {
  checkYouTubeOptions(options);
  const all = { ...YOUTUBE_DEFAULTS, ...options };
  const target = new YouTubeTarget(all);
  await testConnection(target, all);
  return `'${target.host}' answers, and its clock is ${ahead(target.skewMs)} this machine's.`;
}

function ahead(ms: number): string {
  const seconds = Math.abs(ms / 1000).toFixed(1);
  if (seconds === '0.0') return 'the same as';
  return `${seconds} s ${ms > 0 ? 'ahead of' : 'behind'}`;
}

/** Values of the flag of YouTube. */
export interface YouTubeValues {
  readonly youtube?: string;
}

/** The output to YouTube. */
export const youtubeKind: OutputKind<YouTubeValues> = {
  name: 'youtube',
  ...addressKind('youtube', 'caption address of a YouTube broadcast'),
  // A caption is finished up to 15 s after its first word.
  delayLimit: { seconds: 45, reason: 'YouTube takes no captions of more than 60 s ago.' },
  named({ youtube: address }) {
    if (address === undefined) return undefined;
    return {
      places: [address],
      checkOptions: () => checkYouTubeOptions({ address }),
      check: clock => checkYouTube({ address, clock }),
      open: async options => youtubeOutput({ address, ...options }),
    };
  },
};

/** Change of the difference between the clocks, in milliseconds, that explains a refusal. */
const CLOCK_SET_MS = 1000;

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [400, 'the captions were not accepted, as for times of more than 60 s ago, or the broadcast takes none'],
  [403, 'the broadcast has not started, or the address is not valid; copy it again'],
]);

/** Start of the first sequence numbers: 2025-01-01 UTC. */
const SEQUENCE_EPOCH_MS = Date.UTC(2025, 0, 1);

type CompleteYouTubeOptions = YouTubeOptions &
  CompletePostOptions &
  Required<Pick<YouTubeOptions, 'offsetMs'>>;

class YouTubeTarget implements PostTarget {
  readonly host: string;
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #offsetMs: number;
  readonly #suffix: string;
  #sequence: number;
  #serverClock: ServerClock = [];
  /** Difference of the clocks in the last POST that was made. */
  #usedSkewMs = 0;

  constructor(options: CompleteYouTubeOptions) {
    const { address, offsetMs, region, clock = systemClock } = options;
    this.#url = captionAddress(address, RULES);
    this.host = this.#url.host;
    this.#clock = clock;
    this.#offsetMs = offsetMs;
    this.#suffix = region === undefined ? '' : ` region:${region}`;
    // One POST a second at most: a process that is restarted during a broadcast never repeats a number, which would mark its
    // captions as repetitions.
    this.#sequence = Math.max(1, Math.floor((clock.wallTime() - SEQUENCE_EPOCH_MS) / 1000));
  }

  get skewMs(): number {
    return skewMs(this.#serverClock);
  }

  /** An empty POST is a test, and does not count. */
  async begin(signal: AbortSignal): Promise<void> {
    const { ok, status } = await this.#post({ sequence: this.#sequence, body: '' }, signal);
    if (!ok) throw refusal(this.#url, status, MEANINGS);
  }

  /** Both clocks give the same age. */
  ageMs({ spokenAtMs }: QueuedCaption): number {
    return this.#clock.wallTime() - spokenAtMs - this.#offsetMs;
  }

  compose(captions: readonly QueuedCaption[]): CaptionPost {
    this.#usedSkewMs = this.skewMs;
    const body = captions.map(caption => `${this.#timeOf(caption)}\n${textOf(caption)}\n`).join('');
    return { sequence: this.#sequence++, body };
  }

  async send(post: CaptionPost, signal: AbortSignal): Promise<void> {
    const { ok, status } = await this.#post(post, signal);
    if (ok) return;
    if (status !== 400) throw refusal(this.#url, status, MEANINGS);
    const error = statusError(this.#url, status, MEANINGS);
    const isCurable = Math.abs(this.skewMs - this.#usedSkewMs) > CLOCK_SET_MS;
    throw new PostRefusedError(reasonOf(error), { isCurable, cause: error });
  }

  async #post({ sequence, body }: CaptionPost, signal: AbortSignal): Promise<AddressAnswer> {
    const url = new URL(this.#url);
    url.searchParams.set('seq', String(sequence));
    const sentAtMs = this.#clock.wallTime();
    // With a charset, YouTube refuses the POST.
    const headers = { 'content-type': 'text/plain' };
    // A refusal has the time of YouTube's clock in its body.
    const answer = await askAddress(url, { body, headers, readsErrors: true, signal });
    const serverMs = timeIn(answer.text);
    if (serverMs !== undefined) {
      const reading = { sentAtMs, answeredAtMs: this.#clock.wallTime(), serverMs };
      this.#serverClock = withReading(this.#serverClock, reading);
    }
    return answer;
  }

  #timeOf({ spokenAtMs }: QueuedCaption): string {
    const time = new Date(Math.round(spokenAtMs + this.#offsetMs + this.#usedSkewMs)).toISOString();
    return time.slice(0, -1) + this.#suffix;
  }
}

/** Returns the text of a caption. `<br>` is the only mark of YouTube, so other angle brackets become square ones. */
function textOf({ lines }: QueuedCaption): string {
  return lines.map(line => line.replace(/<([^<>]*)>/g, '[$1]').replaceAll('<', '[')).join('<br>');
}

/** Returns the time at the start of an answer, in milliseconds since 1970-01-01 UTC. */
function timeIn(text: string): number | undefined {
  const [, time] = /^\s*(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z?/.exec(text) ?? [];
  const ms = time === undefined ? Number.NaN : Date.parse(`${time}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
