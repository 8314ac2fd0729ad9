import {
  type AudioBlock,
  bytesPerFrame,
  framesOf,
  type PcmFormat,
  requireBlock,
} from '../../audio/format/format.ts';
import type { Gate } from '../../flow/gate.ts';
import { accessToken, publicAddress } from '../serviceAccess.ts';
import { createReplayStore } from '../spool/createReplayStore.ts';
import { openSpool } from '../spool/openSpool.ts';
import type { Spool } from '../spool/spool.ts';
import { MARGIN_SECONDS } from './fallback.ts';
import { Line } from './line.ts';
import type { AudioTaker, LiveHandlers } from './liveOperator.ts';
import type { StreamSettings } from './options.ts';
import type { StreamStatus } from './status.ts';

/** Keeps so much that a source can wait for what is settled: silence is after a minute, words are before. */
const ROOMY_SECONDS = 150;

/** Unsent audio, in seconds, above which the gate is held, and below which it is let go. */
export const GATE_SECONDS = { hold: 4, release: 1 } as const;

/** How often `progress` is reported at most. */
const PROGRESS_INTERVAL_MS = 1000;

/** A source that gives audio faster, in seconds a second, can wait. */
const LIVE_SPEED = 1.5;

/** The way of one source to a service: its format, its pace, and the pressure back to it. */
export class Uplink implements AudioTaker {
  readonly #settings: StreamSettings;
  readonly #handlers: LiveHandlers<StreamStatus>;
  #line: Line | undefined;
  #format: PcmFormat | undefined;
  #releaseGate: (() => void) | undefined;
  /** Frames that came, and when the first did. */
  #arrived = { frames: 0, sinceMs: 0 };
  #reportedMs: number;
  #hasEnded = false;

  constructor(settings: StreamSettings, handlers: LiveHandlers<StreamStatus>) {
    this.#settings = settings;
    this.#handlers = handlers;
    this.#reportedMs = settings.clock.now();
  }

  /** Connects ahead of the audio when its format is known. */
  start(): void {
    const { sampleRate, channels } = this.#settings;
    if (sampleRate !== undefined) this.#attempt(() => this.#open({ sampleRate, channels }));
  }

  write(block: AudioBlock): void {
    if (this.#hasEnded) return;
    this.#attempt(() => {
      requireBlock('transcribe', block);
      if (block.samples.length === 0) return;
      const line = this.#line ?? this.#open(block);
      if (this.#arrived.frames === 0) this.#arrived.sinceMs = this.#settings.clock.now();
      this.#arrived.frames += framesOf(block);
      line.write(block);
    });
  }

  /** The source has ended. Without any audio there is nothing to ask a service for. */
  finish(): void {
    if (this.#hasEnded) return;
    if (this.#arrived.frames === 0) {
      const message = 'stream audio: wanted some audio, found a source without any';
      this.#handlers.status({ type: 'warning', code: 'no-audio', message });
    }
    if (this.#line) this.#line.finish();
    else this.#end();
  }

  fail(error: unknown): void {
    if (this.#line) this.#line.fail(error);
    else this.#end({ error });
  }

  /** Ends all at once; idempotent. */
  close(): void {
    this.#end();
  }

  /** What cannot be done with audio ends the stream. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  #open({ sampleRate, channels }: Omit<PcmFormat, 'sampleFormat'>): Line {
    const { sampleFormat, memorySeconds } = this.#settings;
    const format = { sampleFormat, sampleRate, channels };
    const spool = this.#openSpool(format);
    const line = new Line({
      ...{ settings: this.#settings, format, spool },
      store: spool?.store ?? createReplayStore({ format, memorySeconds }),
      token: () => accessToken(this.#settings.token),
      isLive: () => this.#isLive(sampleRate),
      handlers: {
        event: event => this.#handlers.event(event),
        status: status => this.#handlers.status(status),
        moved: () => this.#onMoved(),
        end: failure => this.#end(failure),
      },
    });
    this.#line = line;
    this.#format = format;
    line.start();
    return line;
  }

  #openSpool(format: PcmFormat): Spool | undefined {
    const { spool, addresses, query, fallback, memorySeconds } = this.#settings;
    if (!spool) return undefined;
    const { path, key, ownService } = spool;
    const subject = {
      addresses: ownService ? [] : addresses.map(publicAddress),
      query,
      marginSeconds: fallback?.marginSeconds ?? MARGIN_SECONDS,
    };
    return openSpool({ path, key, format, subject, memorySeconds });
  }

  #isLive(sampleRate: number): boolean {
    const { clock, catchUp } = this.#settings;
    const elapsedSeconds = (clock.now() - this.#arrived.sinceMs) / 1000;
    return this.#arrived.frames / sampleRate <= elapsedSeconds * LIVE_SPEED + catchUp.burstSeconds;
  }

  #onMoved(): void {
    if (this.#hasEnded || !this.#line || !this.#format) return;
    this.#report(this.#line, this.#format.sampleRate);
    if (this.#settings.gate) this.#updateGate(this.#settings.gate, this.#line, this.#format);
  }

  #report({ sentFrame, waitingFrames }: Line, sampleRate: number): void {
    const nowMs = this.#settings.clock.now();
    if (nowMs - this.#reportedMs < PROGRESS_INTERVAL_MS) return;
    this.#reportedMs = nowMs;
    const lagSeconds = waitingFrames / sampleRate;
    this.#handlers.status({ type: 'progress', sentFrame, bufferedFrames: waitingFrames, lagSeconds });
  }

  #updateGate(gate: Gate, line: Line, format: PcmFormat): void {
    // A small store must not overflow before the source is asked to wait.
    const holdSeconds = Math.min(GATE_SECONDS.hold, this.#settings.maxBufferedSeconds / 2);
    const unsentSeconds =
      (line.waitingFrames + line.bufferedBytes / bytesPerFrame(format)) / format.sampleRate;
    const roomSeconds = this.#settings.maxBufferedSeconds - line.unsettledFrames / format.sampleRate;
    // Of less, a recogniser may need more before it makes any of it final.
    const isRoomy = this.#settings.maxBufferedSeconds >= ROOMY_SECONDS;
    if (unsentSeconds > holdSeconds || (isRoomy && roomSeconds < holdSeconds)) {
      this.#releaseGate ??= gate.hold();
    } else if (unsentSeconds * GATE_SECONDS.hold < holdSeconds * GATE_SECONDS.release) this.#letGo();
  }

  #letGo(): void {
    this.#releaseGate?.();
    this.#releaseGate = undefined;
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#letGo();
    this.#line?.close();
    if (failure) this.#handlers.status({ type: 'failed', error: failure.error });
    this.#handlers.end(failure);
  }
}
