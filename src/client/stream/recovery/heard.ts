import { dropRepeated } from '../../../transcript/merge/seam.ts';
import type { FinalEvent, LiveEvent, PartialEvent, SilenceEvent } from '../../../transcript/model/events.ts';
import { type SourceTime, secondsAt } from '../secondsAt.ts';
import { gridFrame, nextResume, type ResumeEvent, type ResumeState, startOfResume } from './resume.ts';
import type { SourceGaps } from './sourceGaps.ts';

/** Everything services have reported about the audio so far, over all connections. */
export interface Heard {
  readonly time: SourceTime;
  /** Counts frames of audio, without the gaps of the source. */
  readonly resume: ResumeState;
  readonly lastFinal: FinalEvent | undefined;
}

/** The two clocks of a source that leaves audio out. */
export type Gaps = Pick<SourceGaps, 'toAudio' | 'toSource' | 'audioFrames'>;

/** The state after an event, and the events to emit. */
export interface HeardStep {
  readonly heard: Heard;
  readonly events: readonly LiveEvent[];
}

/** The state before any audio. */
export function startOfHeard(time: SourceTime): Heard {
  return { time, resume: startOfResume(time.sampleRate), lastFinal: undefined };
}

/** Returns the frame of the source before which everything is final, silence or given up. */
export function settledFrame({ resume }: Heard, gaps: Gaps): number {
  return gaps.toSource(resume.settledFrame);
}

/** Returns the state after a partial that came when the audio before a frame was sent. */
export function withPartial(
  heard: Heard,
  { endTs, elements }: PartialEvent,
  sentFrame: number,
  gaps: Gaps,
): Heard {
  return withResume(heard, {
    type: 'partial',
    endFrame: frameAt(endTs, heard.time, gaps),
    sentFrame: gaps.toAudio(sentFrame),
    hasWords: elements.length > 0,
  });
}

/** The position of a connection when a final comes on it. */
export interface FinalPlace {
  /** The audio before it was sent. */
  readonly sentFrame: number;
  /** True when no final has come on this connection before. */
  readonly isFirst: boolean;
}

/** Settles the audio up to the end of a final. Emits the final without words that are final already, and silence before it. */
export function withFinal(
  heard: Heard,
  final: FinalEvent,
  { sentFrame, isFirst }: FinalPlace,
  gaps: Gaps,
): HeardStep {
  const last = heard.lastFinal;
  const settledTs = secondsAt(settledFrame(heard, gaps), heard.time);
  // Only the first final shows where the speech begins.
  const before = last ? [] : silenceOf(settledTs, final.ts);
  const endFrame = frameAt(final.endTs, heard.time, gaps);
  const next = withResume(
    { ...heard, lastFinal: final },
    { type: 'final', endFrame, sentFrame: gaps.toAudio(sentFrame) },
  );
  if (!isFirst || !last) return { heard: next, events: [...before, final] };
  const kept = dropRepeated(final, last.elements, last.endTs);
  return { heard: next, events: kept ? [kept] : silenceOf(last.endTs, final.endTs) };
}

/** Settles long silence that a service has read. Frames are those of the source. */
export function withRead(
  heard: Heard,
  read: Omit<ResumeEvent & { readonly type: 'read' }, 'type'>,
  gaps: Gaps,
): HeardStep {
  return settled(
    heard,
    {
      ...read,
      type: 'read',
      readFrame: gaps.toAudio(read.readFrame),
      originFrame: gaps.toAudio(read.originFrame),
    },
    gaps,
  );
}

/** Settles all audio before a frame: a service has given all its words, so that the rest is silence. */
export function withRest(heard: Heard, frame: number, gaps: Gaps): HeardStep {
  return settled(withBreak(heard), { type: 'settled', frame: gaps.toAudio(frame) }, gaps);
}

/** Forgets the words that were not final when their connection broke. */
export function withBreak(heard: Heard): Heard {
  return withResume(heard, { type: 'broken' });
}

/** Gives up the audio before a frame without any event. */
export function givenUp(heard: Heard, frame: number, gaps: Gaps): Heard {
  return withResume(heard, { type: 'settled', frame: gaps.toAudio(frame) });
}

function settled(heard: Heard, event: ResumeEvent, gaps: Gaps): HeardStep {
  const next = withResume(heard, event);
  const [ts, endTs] = [heard, next].map(one => secondsAt(settledFrame(one, gaps), heard.time));
  return { heard: next, events: silenceOf(ts!, endTs!) };
}

function withResume(heard: Heard, event: ResumeEvent): Heard {
  return { ...heard, resume: nextResume(heard.resume, event) };
}

function frameAt(seconds: number, { sampleRate, startTs = 0 }: SourceTime, gaps: Gaps): number {
  return gaps.toAudio(gridFrame(seconds - startTs, sampleRate));
}

function silenceOf(ts: number, endTs: number): readonly SilenceEvent[] {
  return endTs > ts ? [{ type: 'silence', ts, endTs }] : [];
}
