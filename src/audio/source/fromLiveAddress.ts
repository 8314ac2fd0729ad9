import { catchError, firstValueFrom, type Observable, throwError } from 'rxjs';
import { fullJitterMs } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError, requirePositive } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import type { Gate } from '../../flow/gate.ts';
import type { AudioBlock } from '../format/format.ts';
import { RESAMPLE_DEFAULTS, type ResampleOptions, resample } from '../resample/resample.ts';
import { blockSource } from './blockSource.ts';
import { hasEnded, type LiveAddress, readLiveAddress } from './liveAddress.ts';
import { liveBlocks } from './liveDecoder.ts';
import { reconnecting, type SourceStatus, warnOfStatus } from './reconnecting.ts';

export interface LiveAddressOptions extends ResampleOptions {
  /** True when an HTTP address is an HLS playlist. Default: true for a path that ends in `.m3u8`. */
  readonly isPlaylist?: boolean;
  /** Longest time until the first audio. A listening address waits for as long as it takes. Default 15,000. */
  readonly openMs?: number;
  /** Longest time without audio before the address counts as lost. Default 5000, and 30,000 for HLS. */
  readonly lossMs?: number;
  /** Called when a sender is awaited, and when the audio is lost or back. Default: a process warning for lost. */
  readonly onStatus?: (status: SourceStatus) => void;
  /** Default {@link systemClock}. */
  readonly clock?: Clock;
}

/** Defaults of {@link LiveAddressOptions}. */
export const LIVE_ADDRESS_DEFAULTS = {
  ...RESAMPLE_DEFAULTS,
  openMs: 15_000,
  lossMs: 5000,
  playlistLossMs: 30_000,
} as const;

const BACKOFF = { baseMs: 500, capMs: 2000 } as const;

/** Time in which a server sends older audio at once when it is connected. */
const SETTLE_MS = 300;

/**
 * Reads live audio with ffmpeg from an address of RTMP, SRT, RTSP, UDP, HLS or an HTTP radio station, and connects again
 * whenever it is lost. The time without audio is a gap in the positions; audio that a server repeats is left out.
 *
 * An address that gives no audio at the start is an error: `audio-missing`, `audio-unsupported`, `program-missing` or
 * `program-failed`. It completes when an HLS playlist ends. Messages name the host of the address only.
 *
 * @throws InvalidArgumentError for an address of another kind, and for options out of range
 * @example
 * fromLiveAddress('srt://0.0.0.0:9000?mode=listener', { onStatus: ({ message }) => console.error(message) })
 *   .pipe(transcribe({ url, token }))
 *   .subscribe(event => console.log(event));
 */
export function fromLiveAddress(url: string, options: LiveAddressOptions = {}): Observable<AudioBlock> {
  namedOptions('LiveAddressOptions', options);
  const { sampleRate = LIVE_ADDRESS_DEFAULTS.sampleRate, channels = LIVE_ADDRESS_DEFAULTS.channels } =
    options;
  const { openMs = LIVE_ADDRESS_DEFAULTS.openMs, onStatus = warnOfStatus, clock = systemClock } = options;
  const address = readLiveAddress(url, options);
  const { name, listens, isPlaylist } = address;
  const defaults = LIVE_ADDRESS_DEFAULTS;
  const { lossMs = isPlaylist ? defaults.playlistLossMs : defaults.lossMs } = options;
  requirePositive('openMs', openMs);
  requirePositive('lossMs', lossMs);
  const toFormat = resample({ sampleRate, channels });
  const audio$ = reconnecting({
    connect(attempt) {
      if (listens && attempt === 0) {
        onStatus({ type: 'waiting', name, message: `Waiting for a sender at ${name}.` });
      }
      let originSeconds: number | undefined;
      const onOrigin = (seconds: number) => {
        originSeconds = seconds;
      };
      return {
        name,
        audio$: blockSource(signal => connection(address, { signal, onOrigin, clock }), {
          isLive: true,
        }).pipe(toFormat),
        openMs: listens ? Number.POSITIVE_INFINITY : openMs,
        originSeconds: () => originSeconds,
      };
    },
    waitMs: attempt => fullJitterMs(attempt, BACKOFF),
    sampleRate,
    lossMs,
    settleMs: SETTLE_MS,
    onStatus,
    clock,
  });
  return audio$.pipe(catchError(error => throwError(() => openingError(error, { name, openMs }))));
}

interface ConnectionOptions {
  readonly signal: AbortSignal;
  readonly onOrigin: (seconds: number) => void;
  readonly clock: Clock;
}

/** Yields the audio of one connection, whose end is a loss unless a playlist has ended. */
async function* connection(
  address: LiveAddress,
  { signal, onOrigin, clock }: ConnectionOptions,
): AsyncGenerator<AudioBlock> {
  const { name, url, isPlaylist } = address;
  try {
    yield* liveBlocks(address, { signal, onOrigin });
  } catch (error) {
    if (!isPlaylist || signal.aborted || !(await hasEnded(url, { clock, signal }))) throw error;
    return;
  }
  if (isPlaylist && (await hasEnded(url, { clock, signal }))) return;
  throw new RxscribeError('audio-missing', `The sender at ${name} has ended the stream.`);
}

/** Converts the timeout of an opening to an error of the input: otherwise the exit code would blame the service. */
function openingError(error: unknown, { name, openMs }: { name: string; openMs: number }): unknown {
  if (!(error instanceof RxscribeError && error.code === 'timeout')) return error;
  const message = `Cannot read ${name}: no audio came within ${openMs / 1000} s.`;
  return new RxscribeError('audio-missing', message, { cause: error });
}

/** Reads an HLS playlist that has ended, as fast as the gate lets it through. */
export function fromEndedPlaylist(
  url: string,
  options: { readonly gate?: Gate } = {},
): Observable<AudioBlock> {
  const address = readLiveAddress(url, { isPlaylist: true });
  return blockSource(signal => liveBlocks(address, { signal }), options);
}

/**
 * Listens to a live address, and resolves with a sentence as soon as there is audio. A listening address is not opened.
 *
 * @throws the errors of {@link fromLiveAddress}
 */
export async function checkLiveAddress(
  url: string,
  options: Pick<LiveAddressOptions, 'isPlaylist' | 'openMs' | 'clock'> = {},
): Promise<string> {
  const { name, listens } = readLiveAddress(url);
  if (listens) return `The address ${name} waits for a sender.`;
  await firstValueFrom(fromLiveAddress(url, options));
  return `The address ${name} gives audio.`;
}
