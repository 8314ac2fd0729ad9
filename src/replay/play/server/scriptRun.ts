import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/seeded.ts';
import { type ConnectionFaults, isBreak } from '../faults/connectionFaults.ts';
import type { PlayFault } from '../faults/faultSchedule.ts';
import type { Act, Cue, Script } from '../script/script.ts';
import { MessageOrder, Outbox } from './outbox.ts';

export interface ScriptRunOptions {
  readonly script: Script;
  readonly faults: ConnectionFaults;
  readonly random: Random;
  readonly latency: 'none' | 'recorded';
  readonly clock: Clock;
  readonly perform: (act: Act) => void;
}

/** Milliseconds after which a client that waits for `connected` gets it, although the recorded one did not wait. */
const CONNECTED_TIMEOUT_MS = 5000;

/** Tolerance between integer frames and fractional times. */
const TOLERANCE_SECONDS = 1e-6;

/** Seconds after the end of the stream from which on words are those of audio that did not arrive. */
const BEHIND_END_SECONDS = 0.05;

/** Runs a script as audio arrives, with its faults. It knows no socket. */
export class ScriptRun {
  readonly #options: ScriptRunOptions;
  readonly #order: MessageOrder<Act>;
  readonly #outbox: Outbox<Act>;
  readonly #faults: ConnectionFaults;
  #nextCue = 0;
  /** Seconds of audio that arrived, and up to which everything is done. */
  #cameSeconds = 0;
  #seconds = 0;
  #messages = 0;
  #hasEnd = false;
  #mayConnect: boolean;
  #cancelConnect = () => {};
  #isEnding = false;
  #wasBroken = false;

  constructor(options: ScriptRunOptions) {
    const { clock, random, faults, latency, perform } = options;
    this.#options = options;
    this.#faults = faults;
    this.#order = new MessageOrder(random);
    this.#outbox = new Outbox(clock, random, perform);
    this.#mayConnect = latency === 'recorded';
  }

  /** Starts the script; to be called once, before any audio. */
  start(): void {
    this.#fire();
    this.#advance();
    if (this.#nextCue > 0 || this.#mayConnect || this.#isEnding) return;
    this.#cancelConnect = this.#options.clock.schedule(CONNECTED_TIMEOUT_MS, () => this.connect());
  }

  /** True when the last action is scheduled or done, after which everything is ignored. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** True when every cue has been performed, up to the recorded end. */
  get isThrough(): boolean {
    return this.#nextCue === this.#options.script.cues.length;
  }

  /** True when a fault ends the script. */
  get wasBroken(): boolean {
    return this.#wasBroken;
  }

  /** True while an action is scheduled. */
  get isWaiting(): boolean {
    return !this.#outbox.isEmpty;
  }

  /** Seconds of audio that may still arrive before anything is to be sent. */
  get quietSeconds(): number {
    return Math.min(this.#cueSeconds(), this.#faults.nextSeconds(this.#seconds)) - this.#seconds;
  }

  /** Called with the seconds of audio that have arrived. */
  came(seconds: number): void {
    this.#cameSeconds = seconds;
    this.#advance();
  }

  /** Called when no more audio will arrive. */
  end(): void {
    this.#hasEnd = true;
    this.#advance();
  }

  /** Called when the client waits for `connected`. */
  connect(): void {
    this.#mayConnect = true;
    this.#advance();
  }

  /** Stops the script. Idempotent. */
  close(): void {
    this.#isEnding = true;
    this.#cancelConnect();
    this.#outbox.close();
  }

  /** Performs everything that is due, cues before faults. */
  #advance(): void {
    while (!this.#isEnding) {
      const cueSeconds = this.#cueSeconds();
      const next = Math.min(cueSeconds, this.#faults.nextSeconds(this.#seconds));
      // Written this way so that NaN is never reached, instead of always.
      if (!(next <= this.#cameSeconds + TOLERANCE_SECONDS)) break;
      this.#seconds = Math.max(this.#seconds, next);
      if (cueSeconds <= next) this.#cue(this.#options.script.cues[this.#nextCue++]!);
      this.#fire();
    }
    this.#seconds = Math.max(this.#seconds, this.#cameSeconds);
    this.#fire();
  }

  /** Returns the seconds of audio after which the next cue is due; infinite without one. */
  #cueSeconds(): number {
    const { cues, sampleRate } = this.#options.script;
    const cue = cues[this.#nextCue];
    if (!cue) return Number.POSITIVE_INFINITY;
    if (this.#hasEnd || (cue.kind === 'connected' && this.#mayConnect)) return this.#seconds;
    return cue.afterEnd ? Number.POSITIVE_INFINITY : cue.frames / sampleRate;
  }

  #cue({ kind, act, lagMs, fromFrame = 0 }: Cue): void {
    const { script, latency } = this.#options;
    if (kind === 'connected') this.#cancelConnect();
    const isBehindEnd = fromFrame / script.sampleRate >= this.#cameSeconds + BEHIND_END_SECONDS;
    if (this.#hasEnd && isBehindEnd) return;
    this.#enqueue(act, latency === 'recorded' ? lagMs : 0);
  }

  /**
   * Adds an action at its place among the messages, independent of time, so that the same audio always has the same
   * answers.
   */
  #enqueue(act: Act, lagMs: number): void {
    const isMessage = act.kind === 'text' || act.kind === 'binary';
    for (const message of isMessage ? this.#order.next(act) : this.#order.rest()) {
      if (this.#isEnding) return;
      this.#messages++;
      this.#outbox.push(message, lagMs);
      this.#fire();
    }
    if (isMessage || this.#isEnding) return;
    this.#isEnding = true;
    this.#outbox.push(act, lagMs);
  }

  #fire(): void {
    if (this.#isEnding) return;
    for (const fault of this.#faults.due(this.#seconds + TOLERANCE_SECONDS, this.#messages)) {
      this.#apply(fault);
      if (this.#isEnding) return;
    }
  }

  #apply(fault: PlayFault): void {
    if (isBreak(fault)) this.#wasBroken = true;
    const { kind } = fault;
    if (kind === 'delay') this.#outbox.delay(fault.ms, fault.jitterMs);
    else if (kind === 'slow-start') this.#outbox.rest(fault.ms);
    else if (kind === 'cut' || kind === 'half-open') this.#enqueue(fault, 0);
    else if (kind === 'close') this.#enqueue({ ...fault, reason: fault.reason ?? '' }, 0);
    else if (kind === 'reorder' || kind === 'duplicate' || kind === 'drop') this.#order.fault(fault);
  }
}
