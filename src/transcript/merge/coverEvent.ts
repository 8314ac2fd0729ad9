import type { Coverage } from '../model/coverage.ts';
import type { FinalEvent, HoleEvent, RepairEvent, SilenceEvent } from '../model/events.ts';
import { heardWords } from '../text/repeatedWords.ts';
import {
  type Finding,
  type Found,
  paintCoverage,
  type Rule,
  type Span,
  type Stroke,
} from './paintCoverage.ts';

/** What says something for good about a stretch of audio. */
export type SettledEvent = FinalEvent | SilenceEvent | HoleEvent | RepairEvent;

/** Words of a job are one utterance over pauses up to this; at longer ones a live recogniser ends its finals as well. */
const PAUSE_SECONDS = 1;

const SILENCE: Finding = { kind: 'silence' };
const LIVE: Finding = { kind: 'final', provenance: 'live' };
const REPAIRED: Finding = { kind: 'final', provenance: 'repaired' };
const REPAIRED_SILENCE: Finding = { kind: 'silence', provenance: 'repaired' };

/**
 * What is known about one channel after an event, whatever the order of events.
 *
 * - A final covers its span. A final without text is silence.
 * - A hole wins over finals, which may span audio that was dropped in their middle, and over silence; not over a repair.
 * - A repair covers what is a hole: the words of the job, over short pauses, and silence between them. What the source did
 *   not give stays one: no job heard it.
 */
export function coverEvent(coverage: Coverage, event: SettledEvent): Coverage {
  const span = coveredSpan(event);
  switch (event.type) {
    case 'final': {
      const hasText = event.elements.some(({ type }) => type !== 'punct');
      const rule: Rule = there => (isLasting(there) ? there : hasText ? LIVE : (there ?? SILENCE));
      return paintCoverage(coverage, [{ ...span, rule }], event.channel);
    }
    case 'silence':
      return paintCoverage(coverage, [{ ...span, rule: ifUnknown(SILENCE) }], event.channel);
    case 'hole': {
      const hole: Finding = { kind: 'hole', cause: event.cause };
      return paintCoverage(
        coverage,
        [{ ...span, rule: there => (isLasting(there) ? there : hole) }],
        event.channel,
      );
    }
    case 'repair':
      return paintCoverage(coverage, strokesOf(event, span), event.channel);
  }
}

/**
 * Silence where nothing else is known, up to where a final begins: a recogniser reports in order. Of what lies before all
 * that is covered, nobody knows whether there was audio.
 */
export function coverSilence(
  coverage: Coverage,
  {
    ts = coverage[0]?.ts,
    endTs,
    channel,
  }: Partial<Span> & { readonly endTs: number; readonly channel?: number },
): Coverage {
  return ts === undefined
    ? coverage
    : paintCoverage(coverage, [{ ts, endTs, rule: ifUnknown(SILENCE) }], channel);
}

const ifUnknown =
  (finding: Finding): Rule =>
  there =>
    there ?? finding;

/** Words and the silence between them. */
function strokesOf(repair: RepairEvent, span: Span): readonly Stroke[] {
  const mend =
    (finding: Finding): Rule =>
    there =>
      !there || (there.kind === 'hole' && there.cause !== 'gap') ? finding : there;
  let from = span.ts;
  const strokes = spokenSpans(repair, span).flatMap<Stroke>(({ ts, endTs }) => {
    const silence = { ts: from, endTs: ts, rule: mend(REPAIRED_SILENCE) };
    from = endTs;
    return [silence, { ts, endTs, rule: mend(REPAIRED) }];
  });
  return [...strokes, { ts: from, endTs: span.endTs, rule: mend(REPAIRED_SILENCE) }];
}

/** A hole lasts until it is repaired, and the repair for good. */
function isLasting(there: Found): boolean {
  return there?.kind === 'hole' || there?.provenance === 'repaired';
}

/** The span of an event in the hundredths of the wire. A hole is never nothing, nor is its repair. */
export function coveredSpan({ type, ts, endTs }: SettledEvent): Span {
  const span = { ts: hundredths(ts), endTs: hundredths(endTs) };
  if (span.ts < span.endTs || (type !== 'hole' && type !== 'repair')) return span;
  return { ts: Math.floor(ts * 100) / 100, endTs: (Math.floor(ts * 100) + 1) / 100 };
}

/** The same number for times that are equal but for the error of arithmetic. */
export const hundredths = (seconds: number) => Math.round(seconds * 100) / 100;

/** Where somebody speaks in a repair; all of it where words have no times. */
function spokenSpans({ monologues }: RepairEvent, whole: Span): readonly Span[] {
  const elements = monologues.flatMap(turn => turn.elements).filter(({ type }) => type !== 'punct');
  const words = heardWords(elements).toSorted((left, right) => left.ts - right.ts);
  if (words.length === 0) return elements.length === 0 ? [] : [whole];
  const spans: Span[] = [];
  for (const { ts, endTs } of words) {
    const last = spans.at(-1);
    if (last && ts - last.endTs <= PAUSE_SECONDS) {
      spans[spans.length - 1] = { ts: last.ts, endTs: Math.max(last.endTs, endTs) };
    } else spans.push({ ts, endTs });
  }
  return spans
    .map(({ ts, endTs }) => ({
      ts: Math.max(whole.ts, hundredths(ts)),
      endTs: Math.min(whole.endTs, hundredths(endTs)),
    }))
    .filter(({ ts, endTs }) => ts < endTs);
}
