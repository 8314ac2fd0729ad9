import type { Clock } from '../../../base/clock.ts';
import { refuseIf } from '../../../base/errors.ts';
import { namedOptions } from '../../../base/namedOptions.ts';
import type { OutputOptions } from '../captionOutput.ts';

/** An audio input of OBS that decides whether there are captions. */
export interface ObsFollow {
  /** Name of the input: captions only while it is not muted. */
  readonly input: string;
  /** Captions only while the input is also visible in the scene of the program. Default false. */
  readonly inScene?: boolean;
}

/** Options of `obsOutput`. */
export interface ObsOutputOptions extends OutputOptions {
  /** Address of the WebSocket server of OBS (28 or later), such as `ws://127.0.0.1:4455`. */
  readonly url: string;
  /** Password of that server. */
  readonly password?: string;
  /** Name of a text source that shows the captions, also without a stream. */
  readonly source?: string;
  /** Columns of the text source. Default 42. */
  readonly columns?: number;
  /** Rows of the text source. Default 2. */
  readonly rows?: number;
  /** Sends closed captions within the stream, in two rows of 32 columns. Default false. */
  readonly captions?: boolean;
  /** Input that decides whether there are captions. Default: there always are. */
  readonly follow?: ObsFollow;
  /** Milliseconds between requests that show whether the connection is alive. Default 10,000. */
  readonly heartbeatMs?: number;
  /** Milliseconds for a connection or an answer. Default 5000. */
  readonly timeoutMs?: number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link ObsOutputOptions}. */
export const OBS_DEFAULTS = {
  columns: 42,
  rows: 2,
  captions: false,
  heartbeatMs: 10_000,
  timeoutMs: 5000,
} as const satisfies Partial<ObsOutputOptions>;

/**
 * Checks options of `obsOutput`, without a connection.
 *
 * @throws InvalidArgumentError for a text that is no address, sizes that are not above 0, and an output that shows nothing
 */
export function checkObsOptions(options: ObsOutputOptions): void {
  const { url, source, captions, follow, ...sizes } = namedOptions('ObsOutputOptions', options);
  const isSocket = ['ws:', 'wss:'].includes(URL.parse(url)?.protocol ?? '');
  refuseIf(!isSocket, "The address of OBS must be of the form 'ws://HOST:4455'.");
  refuseIf(source === '' || follow?.input === '', 'Sources of OBS must have a name.');
  const isUsed = source !== undefined || captions || follow;
  refuseIf(!isUsed, 'OBS needs a text source, stream captions, or an input to follow.');
  for (const name of ['columns', 'rows'] as const) {
    const size = sizes[name] ?? OBS_DEFAULTS[name];
    const isSize = Number.isInteger(size) && size > 0;
    refuseIf(!isSize, `Option '${name}' must be an integer above 0, not ${size}.`);
  }
}
