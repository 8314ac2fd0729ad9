import { type AudioBlock, bytesPerFrame, type PcmFormat } from '../../audio/format.ts';
import type { TranscriptEvent } from '../../transcript/events.ts';
import { publicAddress } from '../serviceAddress.ts';
import { UnauthorizedError } from '../serviceErrors.ts';
import { queryAddress, tokenAddress } from './address.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { createBlockGuard } from './blockGuard.ts';
import { Connection } from './connection.ts';
import { contentTypeOf, createEncoder } from './encoder.ts';
import type { StreamSettings } from './options.ts';
import type { StreamStatus } from './status.ts';

/** Unsent audio, in seconds, above which the gate is held, and below which it is let go. */
export const GATE_SECONDS = { hold: 4, release: 1 } as const;

export interface UplinkHandlers {
  event(event: TranscriptEvent): void;
  status(status: StreamStatus): void;
  /** Called once; all is closed by then. */
  end(failure?: { readonly error: unknown }): void;
}

/** What there is once the format of the audio is known. */
interface Line {
  readonly format: PcmFormat;
  /** Checks a block, and cuts it when it is very long. */
  readonly admit: (block: AudioBlock) => readonly AudioBlock[];
  readonly backlog: Backlog;
  readonly connection: Connection;
}

/** The way of one source to a service: bytes, bounded backlog, pressure on the source, connection. */
export class Uplink {
  readonly #settings: StreamSettings;
  readonly #handlers: UplinkHandlers;
  #line: Line | undefined;
  #releaseGate: (() => void) | undefined;
  #hasAudio = false;
  #hasEnded = false;

  constructor(settings: StreamSettings, handlers: UplinkHandlers) {
    this.#settings = settings;
    this.#handlers = handlers;
  }

  /** Connects ahead of the audio when its format is known. */
  start(): void {
    const { sampleRate, channels } = this.#settings;
    if (sampleRate !== undefined) this.#open({ sampleRate, channels });
  }

  write(block: AudioBlock): void {
    if (this.#hasEnded || block.samples.length === 0) return;
    this.#hasAudio = true;
    try {
      const line = this.#line ?? this.#open(block);
      for (const part of line.admit(block)) this.#send(line, part);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The source has ended. Without any audio there is nothing to ask a service for. */
  finish(): void {
    if (this.#hasEnded) return;
    if (!this.#hasAudio) {
      const message = 'stream audio: wanted some audio, found a source without any';
      this.#handlers.status({ type: 'warning', code: 'no-audio', message });
    }
    if (this.#line) this.#line.connection.finish();
    else this.#end();
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return;
    if (this.#line) {
      this.#line.connection.fail(error);
      return;
    }
    this.#handlers.status({ type: 'failed', error });
    this.#end({ error });
  }

  /** Ends all at once; idempotent. */
  close(): void {
    if (this.#line) this.#line.connection.close();
    else this.#end();
  }

  #open({ sampleRate, channels }: Omit<PcmFormat, 'sampleFormat'>): Line {
    const { address, query, sampleFormat, timeouts, maxBufferedSeconds, overflow, clock } = this.#settings;
    const format = { sampleFormat, sampleRate, channels };
    const session = queryAddress(address, { ...query, contentType: contentTypeOf(format) });
    const backlog = createBacklog({ sampleRate, maxSeconds: maxBufferedSeconds, overflow });
    const encode = createEncoder(format);
    const connection = new Connection({
      settings: { address: publicAddress(address), sampleRate, startTs: query.startTs ?? 0, timeouts },
      address: async () => tokenAddress(session, await this.#token()),
      queue: {
        get frames() {
          return backlog.frames;
        },
        shift(mayReuse) {
          const block = backlog.shift();
          return block && encode(block, mayReuse);
        },
      },
      clock,
      handlers: {
        event: event => this.#handlers.event(event),
        status: status => this.#handlers.status(status),
        drained: () => this.#updateGate(),
        end: failure => this.#end(failure),
      },
    });
    this.#line = { format, admit: createBlockGuard(format), backlog, connection };
    connection.start();
    return this.#line;
  }

  async #token(): Promise<string> {
    const { token } = this.#settings;
    if (typeof token === 'string') return token;
    try {
      return await token();
    } catch (cause) {
      const advice = 'See the cause: it is what the token function threw.';
      throw new UnauthorizedError('unauthorized', 'get access token: failed', { advice, cause });
    }
  }

  #send(line: Line, block: AudioBlock): void {
    const dropped = line.backlog.push(block);
    if (dropped) {
      const seconds = (dropped.frames / line.format.sampleRate).toFixed(1);
      const message = `keep unsent audio: no room, left out ${seconds} s from frame ${dropped.startFrame}`;
      this.#handlers.status({ type: 'warning', code: 'dropped-audio', message, ...dropped });
    }
    line.connection.flush();
    this.#updateGate();
  }

  #updateGate(): void {
    const { gate, maxBufferedSeconds } = this.#settings;
    if (!gate || !this.#line || this.#hasEnded) return;
    const { format, backlog, connection } = this.#line;
    const unsentFrames = backlog.frames + connection.bufferedBytes / bytesPerFrame(format);
    // A small backlog must not overflow before the source is asked to wait.
    const hold = Math.min(GATE_SECONDS.hold, maxBufferedSeconds / 2) * format.sampleRate;
    const release = (hold * GATE_SECONDS.release) / GATE_SECONDS.hold;
    if (unsentFrames > hold) this.#releaseGate ??= gate.hold();
    else if (unsentFrames < release) this.#letGo();
  }

  #letGo(): void {
    this.#releaseGate?.();
    this.#releaseGate = undefined;
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#letGo();
    this.#handlers.end(failure);
  }
}
