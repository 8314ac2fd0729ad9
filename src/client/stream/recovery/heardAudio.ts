import { dropRepeated } from '../../../transcript/merge/seam.ts';
import type { FinalEvent, LiveEvent, PartialEvent, SilenceEvent } from '../../../transcript/model/events.ts';
import { type SourceTime, secondsAt } from '../secondsAt.ts';
import { gridFrame, nextResume, type ResumeEvent, type ResumeState, startOfResume } from './resume.ts';
import type { SourceGaps } from './sourceGaps.ts';

/** Where a connection stands when words come on it. */
export interface HeardOn {
  readonly sentFrame: number;
  /** No final has come on it before. */
  readonly isFirst: boolean;
}

/** What services have said of the audio so far, over all connections; audio that the source did not give is settled. */
export class HeardAudio {
  readonly #time: SourceTime;
  readonly #gaps: SourceGaps;
  /** On the clock of the audio. */
  #resume: ResumeState;
  #lastFinal: FinalEvent | undefined;

  constructor(time: SourceTime, gaps: SourceGaps) {
    this.#time = time;
    this.#gaps = gaps;
    this.#resume = startOfResume(time.sampleRate);
  }

  /** All before is final, silence, or given up. */
  get settledFrame(): number {
    return this.#gaps.toSource(this.#resume.settledFrame);
  }

  partial({ endTs, elements }: PartialEvent, sentFrame: number): void {
    this.#next({
      type: 'partial',
      endFrame: this.#frameAt(endTs),
      sentFrame: this.#gaps.toAudio(sentFrame),
      hasWords: elements.length > 0,
    });
  }

  /** Gives the final without what is final already, and the silence that this tells of. */
  final(final: FinalEvent, { sentFrame, isFirst }: HeardOn): readonly LiveEvent[] {
    const last = this.#lastFinal;
    // Before the first one, nobody knows where the audio begins.
    const before = last ? [] : silenceOf(this.#secondsAt(this.settledFrame), final.ts);
    this.#lastFinal = final;
    const endFrame = this.#frameAt(final.endTs);
    this.#next({ type: 'final', endFrame, sentFrame: this.#gaps.toAudio(sentFrame) });
    if (!isFirst || !last) return [...before, final];
    const kept = dropRepeated(final, last.elements, last.endTs);
    return kept ? [kept] : silenceOf(last.endTs, final.endTs);
  }

  /** What a service has read, as a `read` of {@link ResumeEvent}. Gives the silence that this tells of. */
  read(read: Omit<ResumeEvent & { readonly type: 'read' }, 'type'>): readonly SilenceEvent[] {
    return this.#silence({
      ...read,
      type: 'read',
      readFrame: this.#gaps.toAudio(read.readFrame),
      originFrame: this.#gaps.toAudio(read.originFrame),
    });
  }

  /** A service has said all that it had to say of the audio before a frame. Gives the silence that this tells of. */
  allBefore(frame: number): readonly SilenceEvent[] {
    this.broken();
    return this.#silence({ type: 'settled', frame: this.#gaps.toAudio(frame) });
  }

  /** The connection is gone, and with it the words that were not final. */
  broken(): void {
    this.#next({ type: 'broken' });
  }

  /** Nobody is to hear what lies before a frame. */
  giveUpTo(frame: number): void {
    this.#next({ type: 'settled', frame: this.#gaps.toAudio(frame) });
  }

  #next(event: ResumeEvent): void {
    this.#resume = nextResume(this.#resume, event);
  }

  #silence(event: ResumeEvent): readonly SilenceEvent[] {
    const from = this.settledFrame;
    this.#next(event);
    return silenceOf(this.#secondsAt(from), this.#secondsAt(this.settledFrame));
  }

  #frameAt(seconds: number): number {
    const { sampleRate, startTs = 0 } = this.#time;
    return this.#gaps.toAudio(gridFrame(seconds - startTs, sampleRate));
  }

  #secondsAt(frame: number): number {
    return secondsAt(frame, this.#time);
  }
}

function silenceOf(ts: number, endTs: number): readonly SilenceEvent[] {
  return endTs > ts ? [{ type: 'silence', ts, endTs }] : [];
}
