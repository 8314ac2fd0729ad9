import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/seeded.ts';
import { ConnectionFaults, isBreak } from '../faults/connectionFaults.ts';
import type { PlannedPlayFault, PlayFault } from '../faults/faultSchedule.ts';
import { type Act, type Cue, framesOfPieces, type Script } from '../script/script.ts';
import { MessageOrder, Outbox } from './outbox.ts';

export interface ScriptRunOptions {
  readonly script: Script;
  readonly faults: readonly PlannedPlayFault[];
  readonly random: Random;
  readonly latency: 'none' | 'recorded';
  readonly clock: Clock;
  readonly perform: (act: Act) => void;
}

/** A client that waits for `connected` where the recorded one did not gets it after so long. */
const CONNECTED_WITHIN_MS = 5000;

/** Frames of audio are whole, times are fractions. */
const TOLERANCE_SECONDS = 1e-6;

/** At the end of the stream, words that begin so long after it are words of audio that did not come. */
const BEHIND_END_SECONDS = 0.05;

/** Goes through a script as audio comes, with all that goes wrong on the way. It knows no socket. */
export class ScriptRun {
  readonly #options: ScriptRunOptions;
  readonly #order: MessageOrder<Act>;
  readonly #outbox: Outbox;
  readonly #faults: ConnectionFaults;
  #cues: readonly Cue[];
  #nextCue = 0;
  /** Seconds of audio that came, and up to where all is done. */
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
    this.#cues = options.script.cues;
    this.#faults = new ConnectionFaults(faults);
    this.#order = new MessageOrder(random);
    this.#outbox = new Outbox(clock, random, perform);
    this.#mayConnect = latency === 'recorded';
  }

  /** To be called once, before any audio. */
  start(): void {
    this.#fire();
    this.#advance();
    if (this.#nextCue > 0 || this.#mayConnect || this.#isEnding) return;
    this.#cancelConnect = this.#options.clock.schedule(CONNECTED_WITHIN_MS, () => this.connect());
  }

  /** The last that is to be done waits for its time, or is done: nothing else counts. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Whether a fault ends it. */
  get wasBroken(): boolean {
    return this.#wasBroken;
  }

  /** Whether something is to be said later. */
  get isWaiting(): boolean {
    return !this.#outbox.isEmpty;
  }

  /** Seconds of audio that may still come before anything is to be said. */
  get quietSeconds(): number {
    const next = Math.min(this.#cueSeconds(), this.#beyondSeconds());
    return Math.min(next, this.#faults.nextSeconds(this.#seconds)) - this.#seconds;
  }

  /** So much audio has come. */
  came(seconds: number): void {
    if (seconds > this.#beyondSeconds() + TOLERANCE_SECONDS) this.#goBeyond();
    this.#cameSeconds = seconds;
    this.#advance();
  }

  /** No more audio will come. */
  end(): void {
    this.#hasEnd = true;
    this.#advance();
  }

  /** The client waits for `connected`. */
  connect(): void {
    this.#mayConnect = true;
    this.#advance();
  }

  /** Nothing more is done. Idempotent. */
  close(): void {
    this.#isEnding = true;
    this.#cancelConnect();
    this.#outbox.close();
  }

  /** After how much audio something else is said than was recorded; infinite when there is nothing else, or it is said. */
  #beyondSeconds(): number {
    const { beyond, audio, sampleRate } = this.#options.script;
    return beyond && this.#cues !== beyond ? framesOfPieces(audio) / sampleRate : Number.POSITIVE_INFINITY;
  }

  #goBeyond(): void {
    this.#cameSeconds = this.#beyondSeconds();
    this.#advance();
    this.#cues = this.#options.script.beyond ?? [];
    this.#nextCue = 0;
  }

  /** Does all that is due, cues before faults. */
  #advance(): void {
    while (!this.#isEnding) {
      const cueSeconds = this.#cueSeconds();
      const next = Math.min(cueSeconds, this.#faults.nextSeconds(this.#seconds));
      // So that a place that is no number is never reached, not always.
      if (!(next <= this.#cameSeconds + TOLERANCE_SECONDS)) break;
      this.#seconds = Math.max(this.#seconds, next);
      if (cueSeconds <= next) this.#cue(this.#cues[this.#nextCue++]!);
      this.#fire();
    }
    this.#seconds = Math.max(this.#seconds, this.#cameSeconds);
    this.#fire();
  }

  /** After how much audio the next cue is due; infinite when there is none. */
  #cueSeconds(): number {
    const { sampleRate } = this.#options.script;
    const cue = this.#cues[this.#nextCue];
    if (!cue) return Number.POSITIVE_INFINITY;
    if (this.#hasEnd || (cue.kind === 'connected' && this.#mayConnect)) return this.#seconds;
    return cue.afterEnd ? Number.POSITIVE_INFINITY : cue.frames / sampleRate;
  }

  #cue({ kind, act, lagMs, fromFrame = 0 }: Cue): void {
    const { script, latency } = this.#options;
    if (kind === 'connected') this.#cancelConnect();
    const isBehindEnd = fromFrame / script.sampleRate >= this.#cameSeconds + BEHIND_END_SECONDS;
    if (this.#hasEnd && isBehindEnd) return;
    this.#say(act, latency === 'recorded' ? lagMs : 0);
  }

  /** In its place among the messages, whatever time they take: so the same audio is always answered alike. */
  #say(act: Act, lagMs: number): void {
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
      this.#happen(fault);
      if (this.#isEnding) return;
    }
  }

  #happen(fault: PlayFault): void {
    if (isBreak(fault)) this.#wasBroken = true;
    switch (fault.kind) {
      case 'cut':
      case 'half-open':
        this.#say(fault, 0);
        break;
      case 'close':
        this.#say({ ...fault, reason: fault.reason ?? '' }, 0);
        break;
      case 'delay':
        this.#outbox.delay(fault.ms, fault.jitterMs);
        break;
      case 'slow-start':
        this.#outbox.rest(fault.ms);
        break;
      case 'reorder':
      case 'duplicate':
      case 'drop':
        this.#order.fault(fault);
        break;
    }
  }
}
