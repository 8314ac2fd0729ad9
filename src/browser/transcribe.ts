import { defined } from '../base/defined.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import { namedOptions } from '../base/namedOptions.ts';
import { PagedAudio } from '../client/spool/pagedAudio.ts';
import { PartStore } from '../client/spool/partStore.ts';
import type { Transcription } from '../client/stream/liveOperator.ts';
import { transcribeOn } from '../client/stream/openStream.ts';
import type { TranscribeOptions } from '../client/stream/options.ts';
import type { Platform } from '../client/stream/platform.ts';
import { openBrowserSocket } from './openBrowserSocket.ts';

/** Options of {@link transcribe} in a browser: those of Node without files, jobs, pings and the listener on the wire. */
export interface BrowserTranscribeOptions
  extends Omit<
    TranscribeOptions,
    'spool' | 'memorySeconds' | 'fallback' | 'overflow' | 'tap' | 'clock' | Ping
  > {
  /** Behaviour beyond `maxBufferedSeconds`, by default 1800: the stream fails, or the oldest audio becomes a hole. Default `fail`. */
  readonly overflow?: 'fail' | 'dropOldest';
}

type Ping = 'pingIntervalMs' | 'pongTimeoutMs';

/** Defaults of {@link BrowserTranscribeOptions} that differ from those of Node: 1800 s take 58 MB at 16 kHz. */
export const BROWSER_DEFAULTS = { maxBufferedSeconds: 1800 } as const;

const browserPlatform: Platform = {
  // This socket answers a ping when audio was read, which says nothing about the network.
  hasPings: false,
  openSocket: openBrowserSocket,
  createReplayStore: ({ format }) =>
    new PartStore(format, new PagedAudio({ format, memorySeconds: Number.POSITIVE_INFINITY })),
  openSpool() {
    throw new InvalidArgumentError("Option 'spool' needs Node: a page has no files.");
  },
};

/**
 * Streams audio to a service from a page, with the same recovery as in Node: when the connection breaks, the stream continues
 * over another one from the end of the last final, and no word is lost or doubled. Audio without a final stays in memory,
 * 1800 s of it unless `maxBufferedSeconds` says otherwise.
 *
 * A page cannot ping a service. A connection counts as lost when it closes, when the browser goes offline, and when no audio
 * leaves the page for 10 s; with a standby, also when words are late. Give a token that is short-lived, by a function that returns
 * the response of your own server, or the token in it. The stream calls it again unless the status is final, such as 403.
 *
 * A page with a Content-Security-Policy needs the service in `connect-src`, and `'wasm-unsafe-eval'` in `script-src`.
 *
 * Errors of the result: those of the source; {@link ServiceError} and its subclasses for faults of the service and the network;
 * the reason of the signal; InvalidArgumentError as in Node.
 *
 * @throws InvalidArgumentError, StreamQueryError for invalid options
 * @example
 * import { browserMicrophone, resample, transcribe } from 'rxscribe/browser';
 *
 * const live = transcribe({ url: 'https://speech.example', token: () => fetch('/token') });
 * live.status$.subscribe(status => console.log(status.type));
 * browserMicrophone().pipe(resample(), live).subscribe(event => console.log(event));
 */
export function transcribe(options: BrowserTranscribeOptions): Transcription {
  return transcribeOn(browserPlatform, {
    ...BROWSER_DEFAULTS,
    ...defined(namedOptions('TranscribeOptions', options)),
  });
}
