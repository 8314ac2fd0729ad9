/** One WebSocket connection through a proxy: its bytes pass as they are, with the faults of the connection. */
import type { Socket } from 'node:net';
import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/seeded.ts';
import { ConnectionFaults } from '../play/faults/connectionFaults.ts';
import type { PlannedPlayFault, PlayFault } from '../play/faults/faultSchedule.ts';
import { fallSilent, reset } from '../play/server/rawTcp.ts';
import { type FramePart, FrameScanner, OPCODE } from './frameScanner.ts';
import { OneWay } from './oneWay.ts';
import type { SessionRecording } from './sessionRecording.ts';

export interface ProxyConnectionOptions {
  readonly client: Socket;
  readonly service: Socket;
  readonly faults: readonly PlannedPlayFault[];
  readonly clock: Clock;
  readonly random: Random;
  /** Format of raw samples; undefined for other audio, whose seconds are those of the connection. */
  readonly format: PcmFormat | undefined;
  readonly recording: SessionRecording | undefined;
}

/** Milliseconds in which a client has to leave after a close frame. */
const CLOSE_TIMEOUT_MS = 2000;

export class ProxyConnection {
  readonly #options: ProxyConnectionOptions;
  readonly #faults: ConnectionFaults;
  readonly #up: OneWay;
  readonly #down: OneWay;
  readonly #upFrames: FrameScanner;
  readonly #downFrames: FrameScanner;
  readonly #openedMs: number;
  #audioBytes = 0;
  #messages = 0;
  /** A close frame that waits for the end of another frame. */
  #closeFrame: Buffer | undefined;
  #isOver = false;

  constructor(options: ProxyConnectionOptions) {
    const { client, service, faults, clock, random, recording } = options;
    this.#options = options;
    this.#faults = new ConnectionFaults(faults);
    this.#up = new OneWay({ from: client, to: service, clock, random });
    this.#down = new OneWay({ from: service, to: client, clock, random });
    const scanning = { keepsMessages: recording !== undefined };
    this.#upFrames = new FrameScanner(scanning);
    this.#downFrames = new FrameScanner(scanning);
    this.#openedMs = clock.now();
  }

  /** Starts to pass bytes; to be called once, after the handshake. */
  start(): void {
    const { client, service, recording } = this.#options;
    this.#listen(this.#up, client, service, this.#upFrames, ({ opcode, payloadBytes, message }) => {
      if (opcode === OPCODE.binary) this.#audioBytes += payloadBytes;
      if (message) recording?.up(message);
    });
    this.#listen(this.#down, service, client, this.#downFrames, ({ message }) => {
      if (message && message.opcode < OPCODE.close) this.#messages++;
      if (message) recording?.down(message);
    });
    this.#fire();
  }

  /** The faults whose moment has not come. */
  get waitingFaults(): readonly PlannedPlayFault[] {
    return this.#faults.waiting;
  }

  /** Ends the connection to both sides. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    this.#options.client.destroy();
    this.#options.service.destroy();
    await this.#options.recording?.end();
  }

  #listen(
    way: OneWay,
    from: Socket,
    to: Socket,
    frames: FrameScanner,
    take: (part: FramePart) => void,
  ): void {
    from.on('data', (chunk: Buffer) => {
      try {
        for (const part of frames.push(chunk)) {
          if (this.#isOver) return;
          way.pass(part.bytes);
          take(part);
          this.#fire();
        }
      } catch {
        this.#break();
      }
    });
    from.on('end', () => way.do(() => to.end()));
    from.on('close', hasFailed => {
      if (!this.#isOver) way.do(() => (hasFailed ? reset(to) : to.destroy()));
      void this.#options.recording?.end();
    });
  }

  /** Seconds of audio from the client. */
  get #seconds(): number {
    const { format, clock } = this.#options;
    if (!format) return (clock.now() - this.#openedMs) / 1000;
    return this.#audioBytes / bytesPerFrame(format) / format.sampleRate;
  }

  #fire(): void {
    for (const fault of this.#faults.due(this.#seconds, this.#messages)) this.#apply(fault);
    const frame = this.#closeFrame;
    if (!frame || !this.#downFrames.isBetweenFrames) return;
    this.#closeFrame = undefined;
    this.#down.do(() => this.#leave(frame));
  }

  #apply(fault: PlayFault): void {
    const { client, service } = this.#options;
    switch (fault.kind) {
      case 'cut':
        this.#down.do(() => this.#break());
        break;
      case 'half-open':
        this.#down.do(() => {
          this.#end();
          fallSilent(client);
          fallSilent(service);
        });
        break;
      case 'close':
        this.#closeFrame = closeFrame(fault.code, fault.reason);
        break;
      case 'delay':
        this.#down.outbox.delay(fault.ms, fault.jitterMs);
        break;
      case 'slow-start':
        this.#down.outbox.rest(fault.ms);
        break;
      case 'stall':
        this.#way(fault).outbox.rest(fault.ms ?? Number.POSITIVE_INFINITY);
        break;
      case 'throttle':
        this.#way(fault).bytesPerSecond = fault.bytesPerSecond;
        break;
    }
  }

  #way({ direction }: { readonly direction: 'up' | 'down' }): OneWay {
    return direction === 'up' ? this.#up : this.#down;
  }

  #break(): void {
    this.#end();
    reset(this.#options.client);
    reset(this.#options.service);
  }

  /** Closes the connection to the client in place of the service. */
  #leave(frame: Buffer): void {
    const { client, service, clock } = this.#options;
    this.#end();
    client.end(frame);
    clock.schedule(CLOSE_TIMEOUT_MS, () => client.destroy());
    reset(service);
  }

  /** Passes nothing more; what still arrives is discarded. */
  #end(): void {
    this.#isOver = true;
    this.#up.outbox.close();
    this.#down.outbox.close();
    this.#options.client.resume();
    this.#options.service.resume();
  }
}

/** Returns a close frame of a service, which has no mask. */
function closeFrame(code: number, reason = ''): Buffer {
  const text = Buffer.from(reason);
  return Buffer.from([0x88, 2 + text.length, code >> 8, code & 0xff, ...text]);
}
