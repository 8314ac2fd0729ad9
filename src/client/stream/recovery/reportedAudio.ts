import { type SourceTime, secondsAt } from '../../../audio/format/frameRange.ts';
import { dropRepeated } from '../../../transcript/merge/seam.ts';
import type { FinalEvent, LiveEvent, PartialEvent, SilenceEvent } from '../../../transcript/model/events.ts';
import { gridFrame, nextResume, type ResumeEvent, type ResumeState, startOfResume } from './resume.ts';
import { type SourceGaps, toAudio, toSource } from './sourceTime.ts';

/** Everything services have reported about the audio so far, over all connections. */
export interface ReportedAudio {
  readonly time: SourceTime;
  /** Counts frames of audio, without the gaps of the source. */
  readonly resume: ResumeState;
  readonly lastFinal: FinalEvent | undefined;
}

/** The state after an event, and the events to emit. */
export interface ReportedStep {
  readonly reported: ReportedAudio;
  readonly events: readonly LiveEvent[];
}

/** The state before any audio. */
export function startOfReported(time: SourceTime): ReportedAudio {
  return { time, resume: startOfResume(time.sampleRate), lastFinal: undefined };
}

/** Returns the frame of the source before which everything is final, silence or given up. */
export function settledFrame({ resume }: ReportedAudio, gaps: SourceGaps): number {
  return toSource(gaps, resume.settledFrame);
}

/** Returns the state after a partial that came when the audio before a frame was sent. */
export function withPartial(
  reported: ReportedAudio,
  { endTs, elements }: PartialEvent,
  sentFrame: number,
  gaps: SourceGaps,
): ReportedAudio {
  return withResume(reported, {
    type: 'partial',
    endFrame: frameAt(endTs, reported.time, gaps),
    sentFrame: toAudio(gaps, sentFrame),
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
  reported: ReportedAudio,
  final: FinalEvent,
  { sentFrame, isFirst }: FinalPlace,
  gaps: SourceGaps,
): ReportedStep {
  const last = reported.lastFinal;
  const settledTs = secondsAt(settledFrame(reported, gaps), reported.time);
  // Only the first final shows where the speech begins.
  const before = last ? [] : silenceOf(settledTs, final.ts);
  const endFrame = frameAt(final.endTs, reported.time, gaps);
  const next = withResume(
    { ...reported, lastFinal: final },
    { type: 'final', endFrame, sentFrame: toAudio(gaps, sentFrame) },
  );
  if (!isFirst || !last) return { reported: next, events: [...before, final] };
  const kept = dropRepeated(final, last.elements, last.endTs);
  return { reported: next, events: kept ? [kept] : silenceOf(last.endTs, final.endTs) };
}

/** Settles long silence that a service has read. Frames are those of the source. */
export function withRead(
  reported: ReportedAudio,
  read: Omit<ResumeEvent & { readonly type: 'read' }, 'type'>,
  gaps: SourceGaps,
): ReportedStep {
  return settled(
    reported,
    {
      ...read,
      type: 'read',
      readFrame: toAudio(gaps, read.readFrame),
      originFrame: toAudio(gaps, read.originFrame),
    },
    gaps,
  );
}

/** Settles all audio before a frame: a service has given all its words, so that the rest is silence. */
export function withRest(reported: ReportedAudio, frame: number, gaps: SourceGaps): ReportedStep {
  return settled(withBreak(reported), { type: 'settled', frame: toAudio(gaps, frame) }, gaps);
}

/** Forgets the words that were not final when their connection broke. */
export function withBreak(reported: ReportedAudio): ReportedAudio {
  return withResume(reported, { type: 'broken' });
}

/** Returns the state without the audio before a frame; reports no event. */
export function givenUp(reported: ReportedAudio, frame: number, gaps: SourceGaps): ReportedAudio {
  return withResume(reported, { type: 'settled', frame: toAudio(gaps, frame) });
}

function settled(reported: ReportedAudio, event: ResumeEvent, gaps: SourceGaps): ReportedStep {
  const next = withResume(reported, event);
  const [ts, endTs] = [reported, next].map(one => secondsAt(settledFrame(one, gaps), reported.time));
  return { reported: next, events: silenceOf(ts!, endTs!) };
}

function withResume(reported: ReportedAudio, event: ResumeEvent): ReportedAudio {
  return { ...reported, resume: nextResume(reported.resume, event) };
}

function frameAt(seconds: number, { sampleRate, startTs = 0 }: SourceTime, gaps: SourceGaps): number {
  return toAudio(gaps, gridFrame(seconds - startTs, sampleRate));
}

function silenceOf(ts: number, endTs: number): readonly SilenceEvent[] {
  return endTs > ts ? [{ type: 'silence', ts, endTs }] : [];
}
