import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, requirePositive } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { askAddress, captionAddress, refusal } from './captionAddress.ts';
import type { CaptionOutput } from './captionOutput.ts';
import { addressKind, type OutputKind } from './outputKind.ts';
import {
  type CaptionPost,
  type CompletePostOptions,
  type PostOptions,
  PostOutput,
  type PostTarget,
  type QueuedCaption,
  testConnection,
} from './postOutput.ts';

/** Options of {@link zoomOutput}. */
export interface ZoomOptions extends PostOptions {
  /** Caption address of the meeting or breakout room ("Copy the API token"). It is a secret, and valid for one meeting. */
  readonly address: string;
  /** Language of the captions, such as `en` or `en-GB`. Default `en`. */
  readonly language?: string;
}

/** Defaults of {@link ZoomOptions}. */
export const ZOOM_DEFAULTS = {
  name: 'zoom',
  language: 'en',
  minIntervalMs: 1000,
  timeoutMs: 5000,
  // Zoom shows captions when they arrive: later ones disturb more than they help.
  maxAgeMs: 30_000,
} as const satisfies Partial<ZoomOptions>;

const RULES = { service: 'Zoom', domain: 'zoom.us', queries: [['id', 'signature']] } as const;

/**
 * Checks the options of {@link zoomOutput}, without a connection.
 *
 * @throws InvalidArgumentError for an address that cannot be one of Zoom, or an unknown language
 */
export function checkZoomOptions(options: ZoomOptions): void {
  namedOptions('ZoomOptions', options);
  captionAddress(options.address, RULES);
  zoomLanguage(options.language ?? ZOOM_DEFAULTS.language);
  requirePositive('maxAgeMs', options.maxAgeMs ?? ZOOM_DEFAULTS.maxAgeMs);
}

/**
 * Sends finished captions to the caption address of a Zoom meeting, which shows each when it arrives. Takes `cues` steps.
 *
 * The numbering continues after a restart. Captions that cannot be sent within `maxAgeMs` are given up. Source of the protocol:
 * "Using a third-party closed captioning service", Zoom Support.
 *
 * @throws InvalidArgumentError as {@link checkZoomOptions}
 * @example
 * const output = zoomOutput({ address: process.env.ZOOM_ADDRESS!, language: 'en-GB' });
 */
export function zoomOutput(options: ZoomOptions): CaptionOutput {
  checkZoomOptions(options);
  const all = { ...ZOOM_DEFAULTS, ...options };
  return new PostOutput(new ZoomTarget(all), all);
}

/**
 * Asks a caption address for its last number, which changes nothing. Resolves with a sentence on the meeting.
 *
 * @throws RxscribeError when there is no answer, or a refusal, as before the meeting
 * @example
 * console.log(await checkZoom({ address: process.env.ZOOM_ADDRESS! }));
 */
export async function checkZoom(options: ZoomOptions): Promise<string> {
  checkZoomOptions(options);
  const all = { ...ZOOM_DEFAULTS, ...options };
  const target = new ZoomTarget(all);
  await testConnection(target, all);
  return `'${target.host}' answers, and the next caption of the meeting has number ${target.nextSequence}.`;
}

/** Values of the flag of Zoom. */
export interface ZoomValues {
  readonly zoom?: string;
}

/** The output to Zoom. */
export const zoomKind: OutputKind<ZoomValues> = {
  name: 'zoom',
  ...addressKind('zoom', 'caption address of a Zoom meeting'),
  named({ zoom: address, language }) {
    if (address === undefined) return undefined;
    return {
      places: [address],
      checkOptions: () => checkZoomOptions({ address, language }),
      check: clock => checkZoom({ address, language, clock }),
      open: async options => zoomOutput({ address, language, ...options }),
    };
  },
};

/**
 * Returns a language code with its country, as Zoom wants it.
 *
 * @throws InvalidArgumentError for a text that is not a language code
 */
function zoomLanguage(language: string): string {
  try {
    const { language: code, region } = new Intl.Locale(language).maximize();
    // The documentation of Zoom has this code for Japanese.
    const zoomCode = code === 'ja' ? 'jp' : code;
    return region === undefined ? zoomCode : `${zoomCode}-${region}`;
  } catch (cause) {
    const problem = `Option 'language' must be a code such as 'en' or 'en-GB', not '${language}'`;
    throw new InvalidArgumentError(`${problem}.`, { cause });
  }
}

/** Further statuses that Zoom recommends to retry. */
const RETRIED: readonly number[] = [400, 403, 405];

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [400, 'the meeting has not started'],
  [403, 'the address is not valid, or that of another meeting; copy it again'],
]);

type CompleteZoomOptions = ZoomOptions & CompletePostOptions & Required<Pick<ZoomOptions, 'language'>>;

class ZoomTarget implements PostTarget {
  readonly host: string;
  readonly maxAgeMs: number;
  readonly #url: URL;
  readonly #clock: Clock;
  #sequence = 1;

  constructor(options: CompleteZoomOptions) {
    const { address, language, clock = systemClock } = options;
    this.#url = captionAddress(address, RULES);
    this.#url.searchParams.set('lang', zoomLanguage(language));
    this.host = this.#url.host;
    this.maxAgeMs = options.maxAgeMs;
    this.#clock = clock;
  }

  get nextSequence(): number {
    return this.#sequence;
  }

  async begin(signal: AbortSignal): Promise<void> {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/seq`;
    url.searchParams.delete('seq');
    const { ok, status, text } = await askAddress(url, { signal });
    if (!ok) throw refusal(this.#url, status, MEANINGS, RETRIED);
    // Without a number, as from a relay, the numbering begins at 1.
    const last = /^\s*(\d{1,15})\s*$/.exec(text)?.[1] ?? 0;
    // A POST without an answer may have been counted or not, so the number never falls.
    this.#sequence = Math.max(this.#sequence, Number(last) + 1);
  }

  ageMs({ takenAtMs }: QueuedCaption): number {
    return this.#clock.now() - takenAtMs;
  }

  compose(captions: readonly QueuedCaption[]): CaptionPost {
    const body = captions.map(({ lines }) => `${lines.join('\n')}\n`).join('');
    return { sequence: this.#sequence++, body };
  }

  async send({ sequence, body }: CaptionPost, signal: AbortSignal): Promise<void> {
    const url = new URL(this.#url);
    url.searchParams.set('seq', String(sequence));
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const { ok, status } = await askAddress(url, { body, headers, signal });
    if (!ok) throw refusal(this.#url, status, MEANINGS, RETRIED);
  }
}
