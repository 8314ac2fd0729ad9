import type { FinalEvent, PartialEvent, SilenceEvent } from '../../../transcript/events.ts';
import { dropRepeated } from '../../../transcript/seam.ts';
import { type SourceTime, secondsAt } from '../secondsAt.ts';
import {
  afterBreak,
  afterFinal,
  afterPartial,
  afterRead,
  gridFrame,
  type ReadAudio,
  type ResumeState,
  settle,
  startOfResume,
} from './resume.ts';

/** Where a connection stands when words come on it. */
export interface HeardOn {
  readonly sentFrame: number;
  /** No final has come on it before. */
  readonly isFirst: boolean;
}

/** What services have said of the audio so far, over all connections. */
export class HeardAudio {
  readonly #time: SourceTime;
  #resume: ResumeState;
  #lastFinal: FinalEvent | undefined;

  constructor(time: SourceTime) {
    this.#time = time;
    this.#resume = startOfResume(time.sampleRate);
  }

  /** All before is final, silence, or given up. */
  get settledFrame(): number {
    return this.#resume.settledFrame;
  }

  partial({ endTs, elements }: PartialEvent, sentFrame: number): void {
    const hasWords = elements.length > 0;
    this.#resume = afterPartial(this.#resume, this.#frameAt(endTs), { sentFrame, hasWords });
  }

  /** Gives the final without what is final already; silence when that is all of it. */
  final(final: FinalEvent, { sentFrame, isFirst }: HeardOn): FinalEvent | SilenceEvent | undefined {
    const last = this.#lastFinal;
    this.#lastFinal = final;
    this.#resume = afterFinal(this.#resume, this.#frameAt(final.endTs), sentFrame);
    if (!isFirst || !last) return final;
    return dropRepeated(final, last.elements, last.endTs) ?? silenceOf(last.endTs, final.endTs);
  }

  /** Gives the silence that this tells of. */
  read(read: ReadAudio): SilenceEvent | undefined {
    return this.#silentTo(afterRead(this.#resume, read));
  }

  /** A service has said all that it had to say of the audio before a frame. */
  allBefore(frame: number): SilenceEvent | undefined {
    return this.#silentTo(settle(this.#resume, frame));
  }

  /** The connection is gone, and with it the words that were not final. */
  broken(): void {
    this.#resume = afterBreak(this.#resume);
  }

  /** Nobody is to hear what lies before a frame. */
  giveUpTo(frame: number): void {
    this.#resume = settle(this.#resume, frame);
  }

  #silentTo(resume: ResumeState): SilenceEvent | undefined {
    const ts = secondsAt(this.settledFrame, this.#time);
    const endTs = secondsAt(resume.settledFrame, this.#time);
    this.#resume = resume;
    return silenceOf(ts, endTs);
  }

  #frameAt(seconds: number): number {
    const { sampleRate, startTs = 0 } = this.#time;
    return gridFrame(seconds - startTs, sampleRate);
  }
}

function silenceOf(ts: number, endTs: number): SilenceEvent | undefined {
  return endTs > ts ? { type: 'silence', ts, endTs } : undefined;
}
