import { type AudioBlock, type PcmFormat, requireBlock } from '../../audio/format/format.ts';
import type { Gate } from '../../flow/gate.ts';
import { accessToken } from '../serviceAccess.ts';
import { holeCauseOf, mayBeRepaired, type StreamHoleCause } from './fallback.ts';
import { overflowError, roomFrame } from './journal/overflow.ts';
import type { AudioInput, Failure, StreamEvent, StreamListener } from './liveOperator.ts';
import { Pressure, unstreamedPosition } from './pressure.ts';
import type { StreamSettings } from './settings.ts';
import { ignoredOptionsWarning, NO_AUDIO_WARNING } from './status.ts';
import { type StreamParts, startParts } from './streamParts.ts';
import { Transport, type TransportEvent } from './transport.ts';

/** One source on its way to a transcript: its audio becomes final, silence or a hole. */
export class LiveStream implements AudioInput {
  readonly #settings: StreamSettings;
  readonly #pressure: Pressure;
  /** In this order: an event is written down before anybody else sees it. */
  #listeners: readonly StreamListener[];
  #parts: StreamParts | undefined;
  /** Undefined before the start, and once nothing is streamed any more. */
  #transport: Transport | undefined;
  #isFinished = false;
  #hasEnded = false;

  /** The gate is held while the source should wait. */
  constructor(settings: StreamSettings, listener: StreamListener, gate: Gate) {
    this.#settings = settings;
    this.#listeners = [listener];
    this.#pressure = new Pressure(settings, gate, status => this.#emit({ type: 'status', status }));
  }

  /** Connects ahead of the audio when its format is known. */
  start(): void {
    const { sampleRate, channels, ignored } = this.#settings;
    if (ignored.length > 0) this.#emit({ type: 'status', status: ignoredOptionsWarning(ignored) });
    if (sampleRate !== undefined) this.#attempt(() => this.#begin({ sampleRate, channels }));
  }

  write(block: AudioBlock): void {
    if (!this.#hasEnded) this.#attempt(() => this.#write(block));
  }

  finish(): void {
    if (this.#hasEnded) return;
    if (!this.#pressure.hasAudio) this.#emit({ type: 'status', status: NO_AUDIO_WARNING });
    if (!this.#parts) {
      this.#end();
      return;
    }
    const { journal } = this.#parts;
    this.#isFinished = true;
    journal.note({ type: 'ended', endFrame: journal.headFrame });
    if (this.#transport) this.#transport.finish();
    else this.#finishRepairs(this.#parts);
  }

  /** Ends everything with an error; audio without text becomes a hole. */
  fail(error: unknown): void {
    if (this.#hasEnded) return;
    // A stream that was never connected has no holes: another attempt begins with the first frame.
    if (this.#transport?.wasConnected) this.#leaveTransport(holeCauseOf(error));
    else this.#parts?.journal.addUnstreamed();
    this.#end({ error });
  }

  /** Ends everything at once, and leaves a spool for a later process. Idempotent. */
  close(): void {
    if (this.#hasEnded) return;
    this.#closeParts();
    this.#parts?.journal.close();
    this.#notify({ type: 'end' });
  }

  /** Audio that cannot be used ends the stream. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  #begin({ sampleRate, channels }: Pick<PcmFormat, 'sampleRate' | 'channels'>): StreamParts {
    const settings = this.#settings;
    const token = () => accessToken(settings.token);
    const parts = startParts({
      settings,
      format: { sampleFormat: settings.sampleFormat, sampleRate, channels },
      token,
      emit: event => this.#emit(event),
      // Not in the middle of something else.
      onError: error => queueMicrotask(() => this.fail(error)),
    });
    const { format, journal, repairs } = parts;
    this.#parts = parts;
    if (repairs) {
      const observe = (event: StreamEvent) => event.type === 'transcript' && repairs.observe(event.event);
      this.#listeners = [observe, ...this.#listeners];
    }
    this.#listeners = [event => journal.record(event), ...this.#listeners];
    if (settings.fallback?.asyncOnly) {
      this.#fallBack('async-only');
      return parts;
    }
    this.#transport = new Transport({
      settings,
      format,
      journal,
      token,
      isLive: () => this.#pressure.isLive(sampleRate),
      onEvent: event => this.#onTransport(event),
    });
    this.#transport.start();
    return parts;
  }

  #write(block: AudioBlock): void {
    requireBlock('transcribe', block);
    if (block.samples.length === 0) return;
    const parts = this.#parts ?? this.#begin(block);
    this.#pressure.arrived(block);
    const chunk = parts.journal.append(block);
    if (this.#transport) this.#makeRoom(this.#transport, parts);
    if (this.#transport) this.#transport.send(chunk);
    else this.#updatePressure();
  }

  #makeRoom(transport: Transport, { journal, format, repairs }: StreamParts): void {
    const { maxBufferedSeconds: maxSeconds, overflow } = this.#settings;
    if (transport.unsettledFrames <= maxSeconds * format.sampleRate) return;
    if (overflow === 'fail') throw overflowError(maxSeconds);
    if (overflow === 'asyncOnly') {
      this.#fallBack('async-only', overflowError(maxSeconds));
      return;
    }
    const { sampleRate } = format;
    const beforeFrame = roomFrame(journal.headFrame, { sampleRate, maxSeconds, gaps: journal.gaps });
    const { sentFrame, settledFrame } = transport;
    transport.drop(beforeFrame);
    // Frames that were sent may still become final: they are a hole, to be repaired, only when the connection breaks.
    journal.release(repairs ? settledFrame : beforeFrame);
    journal.addHole({ startFrame: sentFrame, endFrame: beforeFrame }, 'dropped');
  }

  #onTransport(event: TransportEvent): void {
    if (event.type === 'moved') this.#updatePressure();
    else if (event.type === 'end') this.#onTransportEnd(event.failure);
    else this.#emit(event);
  }

  #onTransportEnd(failure?: Failure): void {
    const { repairs } = this.#parts!;
    if (!failure) {
      this.#transport = undefined;
      this.#finishRepairs(this.#parts!);
    } else if (repairs && mayBeRepaired(failure.error, this.#transport?.wasConnected ?? false)) {
      this.#fallBack(holeCauseOf(failure.error), failure.error);
    } else this.fail(failure.error);
  }

  #updatePressure(): void {
    if (this.#hasEnded || !this.#parts) return;
    const { format, journal } = this.#parts;
    this.#pressure.update(this.#transport ?? unstreamedPosition(journal.headFrame), format);
  }

  /** Leaves all audio without text, and all that follows, to the fallback. */
  #fallBack(cause: StreamHoleCause, error?: unknown): void {
    this.#emit({ type: 'status', status: { type: 'fallback', ...(error !== undefined && { error }) } });
    this.#leaveTransport(cause);
    if (this.#isFinished) this.#finishRepairs(this.#parts!);
    // A source that waits at the gate goes on.
    this.#updatePressure();
  }

  #leaveTransport(cause: StreamHoleCause): void {
    const { journal } = this.#parts!;
    const transport = this.#transport;
    journal.leaveUnstreamed(transport?.settledFrame ?? 0, cause);
    this.#transport = undefined;
    transport?.close();
    journal.addUnstreamed();
  }

  #finishRepairs({ journal, repairs }: StreamParts): void {
    journal.endAudio();
    if (!repairs) {
      this.#end();
      return;
    }
    repairs.done().then(
      () => this.#end(),
      error => this.#end({ error }),
    );
  }

  #emit(event: StreamEvent): void {
    // That the connection is closed is reported also after the end.
    if (!this.#hasEnded || event.type === 'status') this.#notify(event);
  }

  #notify(event: StreamEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #end(failure?: Failure): void {
    if (this.#hasEnded) return;
    this.#closeParts();
    if (failure) this.#parts?.journal.close();
    const outcome = failure ?? this.#parts?.journal.finish();
    if (outcome) this.#notify({ type: 'status', status: { type: 'failed', error: outcome.error } });
    this.#notify({ type: 'end', ...(outcome && { failure: outcome }) });
  }

  #closeParts(): void {
    this.#hasEnded = true;
    this.#pressure.release();
    this.#transport?.close();
    this.#transport = undefined;
    this.#parts?.repairs?.close();
  }
}
