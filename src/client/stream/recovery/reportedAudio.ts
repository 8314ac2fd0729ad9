import { type FrameRange, type SourceTime, secondsAt } from '../../../audio/format/frameRange.ts';
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
  /** Spans of words in partials that no final covers yet, in order. */
  readonly pending: readonly Span[];
}

type Span = Pick<PartialEvent, 'ts' | 'endTs'>;

/** The state after an event, and the events to emit. */
export interface ReportedStep {
  readonly reported: ReportedAudio;
  readonly events: readonly LiveEvent[];
  /** Frames of the source whose words came in partials, but in no final. */
  readonly lost: readonly FrameRange[];
}

/** The state before any audio. */
export function startOfReported(time: SourceTime): ReportedAudio {
  return { time, resume: startOfResume(time.sampleRate), lastFinal: undefined, pending: [] };
}

/** Returns the frame of the source before which everything is final, silence or given up. */
function settledFrame({ resume }: ReportedAudio, gaps: SourceGaps): number {
  return toSource(gaps, resume.settledFrame);
}

/**
 * Returns the state after a partial that came when the audio before a frame was sent. It replaces the words from its start on:
 * a hypothesis that was revised is no loss.
 */
export function withPartial(
  reported: ReportedAudio,
  { ts, endTs, elements }: PartialEvent,
  sentFrame: number,
  gaps: SourceGaps,
): ReportedAudio {
  const hasWords = elements.length > 0;
  const earlier = reported.pending.filter(span => span.endTs <= ts);
  const pending = hasWords ? [...earlier, { ts, endTs }] : earlier;
  return withResume(
    { ...reported, pending },
    {
      type: 'partial',
      endFrame: frameAt(endTs, reported.time, gaps),
      sentFrame: toAudio(gaps, sentFrame),
      hasWords,
    },
  );
}

/** The position of a connection when a final comes on it. */
export interface FinalPlace {
  /** The audio before it was sent. */
  readonly sentFrame: number;
  /** True when no final has come on this connection before. */
  readonly isFirst: boolean;
}

/**
 * Settles the audio up to the end of a final. Emits the final without words that are final already, and silence before it.
 * Words of partials that end before the final are lost; those that overlap it became the final.
 */
export function withFinal(
  reported: ReportedAudio,
  final: FinalEvent,
  { sentFrame, isFirst }: FinalPlace,
  gaps: SourceGaps,
): ReportedStep {
  const last = reported.lastFinal;
  const settledTs = secondsAt(settledFrame(reported, gaps), reported.time);
  const missed = reported.pending.filter(span => span.endTs > settledTs && span.endTs <= final.ts);
  // Only the first final shows where the speech begins.
  const before = last ? [] : silenceOf(settledTs, final.ts, missed);
  const endFrame = frameAt(final.endTs, reported.time, gaps);
  const pending = reported.pending.filter(span => span.ts >= final.endTs);
  const next = withResume(
    { ...reported, lastFinal: final, pending },
    { type: 'final', endFrame, sentFrame: toAudio(gaps, sentFrame) },
  );
  const lost = missed.map(span => rangeOf(span, reported.time));
  const kept = isFirst && last ? dropRepeated(final, last.elements, last.endTs) : final;
  const events = kept ? [...before, kept] : silenceOf(last?.endTs ?? settledTs, final.endTs, missed);
  return { reported: next, events, lost };
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

/**
 * Settles all audio before a frame: a service has given all its finals, so that the rest is silence, but for the words of
 * partials.
 */
export function withRest(reported: ReportedAudio, frame: number, gaps: SourceGaps): ReportedStep {
  const rest = settled(reported, { type: 'settled', frame: toAudio(gaps, frame) }, gaps);
  return { ...rest, reported: withBreak(rest.reported) };
}

/** Forgets the words that were not final when their connection broke. */
export function withBreak(reported: ReportedAudio): ReportedAudio {
  return withResume({ ...reported, pending: [] }, { type: 'broken' });
}

/** Returns the state without the audio before a frame; reports no event. */
export function givenUp(reported: ReportedAudio, frame: number, gaps: SourceGaps): ReportedAudio {
  return withResume(reported, { type: 'settled', frame: toAudio(gaps, frame) });
}

function settled(reported: ReportedAudio, event: ResumeEvent, gaps: SourceGaps): ReportedStep {
  const { time, pending } = reported;
  const next = withResume(reported, event);
  const ts = secondsAt(settledFrame(reported, gaps), time);
  const endTs = secondsAt(settledFrame(next, gaps), time);
  const missed = pending.filter(span => span.endTs > ts && span.ts < endTs);
  return {
    reported: { ...next, pending: pending.filter(span => span.ts >= endTs) },
    events: silenceOf(ts, endTs, missed),
    lost: missed.map(span => rangeOf(span, time)),
  };
}

function withResume(reported: ReportedAudio, event: ResumeEvent): ReportedAudio {
  return { ...reported, resume: nextResume(reported.resume, event) };
}

function frameAt(seconds: number, { sampleRate, startTs = 0 }: SourceTime, gaps: SourceGaps): number {
  return toAudio(gaps, gridFrame(seconds - startTs, sampleRate));
}

function rangeOf({ ts, endTs }: Span, { sampleRate, startTs = 0 }: SourceTime): FrameRange {
  const frameOf = (seconds: number) => Math.round((seconds - startTs) * sampleRate);
  return { startFrame: frameOf(ts), endFrame: frameOf(endTs) };
}

/** Returns the silence between two times, except spans that had words. */
function silenceOf(ts: number, endTs: number, spoken: readonly Span[] = []): readonly SilenceEvent[] {
  const starts = [ts, ...spoken.map(span => span.endTs)];
  const ends = [...spoken.map(span => span.ts), endTs];
  const silences = starts.map((start, at) => ({ type: 'silence', ts: start, endTs: ends[at]! }) as const);
  return silences.filter(silence => silence.endTs > silence.ts);
}
