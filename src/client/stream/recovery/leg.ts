import type { PcmFormat } from '../../../audio/format/format.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import { publicAddress } from '../../serviceAccess.ts';
import type { Chunk } from '../../spool/chunk.ts';
import type { StreamSettings } from '../options.ts';
import { secondsAt } from '../secondsAt.ts';
import { queryAddress, tokenAddress } from '../session/address.ts';
import { Connection, type ConnectionHandlers } from '../session/connection.ts';
import { contentTypeOf, silence } from '../session/encoder.ts';

export interface LegOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly address: URL;
  /** It begins here, in frames since the start of the source. */
  readonly originFrame: number;
  readonly token: () => Promise<string>;
  /** The audio that may go out now, from a frame on, of so many bytes at most. */
  readonly next: (frame: number, maxBytes: number) => Chunk | undefined;
  /** Whether all audio that goes this way lies before a frame. */
  readonly isLast: (frame: number) => boolean;
  readonly handlers: ConnectionHandlers;
}

/** One of the connections that carry a stream, and where it stands in the audio. */
export class Leg {
  readonly originFrame: number;
  readonly connection: Connection;
  /** All before was sent. */
  sentFrame: number;
  /** The service is ready. */
  connected: ConnectedEvent | undefined;
  /** A final came. */
  hasFinal = false;
  readonly #clock: Clock;
  readonly #format: PcmFormat;
  #hears: { readonly fromFrame: number; readonly sinceMs: number } | undefined;

  constructor(options: LegOptions) {
    const { settings, format, address, originFrame, token, handlers } = options;
    const { query, timeouts, maxSegmentSeconds, clock, tap } = settings;
    const { sampleRate } = format;
    this.originFrame = originFrame;
    this.#clock = clock;
    this.#format = format;
    this.sentFrame = originFrame;
    const startTs = secondsAt(originFrame, { sampleRate, startTs: query.startTs });
    const asked = { ...query, ...(originFrame > 0 && { startTs }), contentType: contentTypeOf(format) };
    const session = queryAddress(address, asked);
    const shown = publicAddress(address);
    this.connection = new Connection({
      settings: {
        address: shown,
        ...{ sampleRate, originFrame, startTs, maxSegmentSeconds, timeouts },
      },
      address: async () => tokenAddress(session, await token()),
      queue: this.#queue(options),
      ...(tap && { tap: () => tap.connect({ address: shown, query: asked, originFrame }) }),
      ...{ clock, handlers },
    });
  }

  /** Sends silence that the source does not have, so that the service does not close for want of audio. */
  pad(seconds: number): void {
    this.connection.pad(silence(this.#format, Math.round(seconds * this.#format.sampleRate)));
  }

  /** The service is connected, or gave a final: now it hears what comes after a frame. */
  hearsFrom(frame: number): void {
    this.#hears = { fromFrame: frame, sinceMs: this.#clock.now() };
  }

  /** What it means that the service has read all before a frame; nothing before it is connected. */
  readTo(readFrame: number) {
    if (!this.#hears) return undefined;
    const { fromFrame: originFrame, sinceMs } = this.#hears;
    return { readFrame, originFrame, elapsedSeconds: (this.#clock.now() - sinceMs) / 1000 };
  }

  #queue({ next, isLast }: Pick<LegOptions, 'next' | 'isLast'>) {
    const leg = this;
    return {
      get isEmpty() {
        return isLast(leg.sentFrame);
      },
      shift(maxBytes: number) {
        const chunk = next(leg.sentFrame, maxBytes);
        if (chunk) leg.sentFrame = chunk.startFrame + chunk.frames;
        return chunk;
      },
    };
  }
}
