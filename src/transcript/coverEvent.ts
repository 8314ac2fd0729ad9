import type { Coverage, CoverageSpan } from './coverage.ts';
import type { FinalEvent, HoleEvent, RepairEvent, SilenceEvent } from './events.ts';
import { heardWords } from './repeatedWords.ts';

/** What says something for good about a stretch of audio. */
export type SettledEvent = FinalEvent | SilenceEvent | HoleEvent | RepairEvent;

type Span = Pick<CoverageSpan, 'ts' | 'endTs'>;
type Finding = Pick<CoverageSpan, 'kind' | 'provenance' | 'cause'>;
/** What is found where something or nothing was known. */
type Rule = (there: Finding | undefined) => Finding | undefined;

/** Words of a job are one utterance over pauses up to this; at longer ones a live recogniser ends its finals as well. */
const PAUSE_SECONDS = 1;

const SILENCE: Finding = { kind: 'silence' };
const LIVE: Finding = { kind: 'final', provenance: 'live' };
const REPAIRED: Finding = { kind: 'final', provenance: 'repaired' };
const REPAIRED_SILENCE: Finding = { kind: 'silence', provenance: 'repaired' };

/**
 * What is known about one channel after an event, whatever the order of events.
 *
 * - A final covers its span; what is not covered before it is silence, as a recogniser reports in order. A final without
 *   text is silence itself.
 * - A hole wins over finals, which may span audio that was dropped in their middle, and over silence; not over a repair.
 * - A repair covers what is a hole: the words of the job, over short pauses, and silence between them.
 *
 * @param settledTs seconds up to which all is known, where `coverage` is only what comes after
 */
export function coverEvent(coverage: Coverage, event: SettledEvent, settledTs = 0): Coverage {
  const span = coveredSpan(event);
  switch (event.type) {
    case 'final': {
      const hasText = event.elements.some(({ type }) => type !== 'punct');
      const rule: Rule = there => (hasText ? LIVE : (there ?? SILENCE));
      const covered = paint(coverage, span, there => (isLasting(there) ? there : rule(there)), event);
      return paint(covered, { ts: settledTs, endTs: span.ts }, there => there ?? SILENCE, event);
    }
    case 'silence':
      return paint(coverage, span, there => there ?? SILENCE, event);
    case 'hole': {
      const hole: Finding = { kind: 'hole', cause: event.cause };
      return paint(coverage, span, there => (isLasting(there) ? there : hole), event);
    }
    case 'repair': {
      const spoken = spokenSpans(event, span);
      const mend = (finding: Finding) => (there?: Finding) =>
        !there || there.kind === 'hole' ? finding : there;
      const covered = spoken.reduce((spans, part) => paint(spans, part, mend(REPAIRED), event), coverage);
      return paint(covered, span, mend(REPAIRED_SILENCE), event);
    }
  }
}

/** A hole lasts until it is repaired, and the repair for good. */
function isLasting(there: Finding | undefined): boolean {
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
  return spans.map(({ ts, endTs }) => ({
    ts: Math.max(whole.ts, hundredths(ts)),
    endTs: Math.min(whole.endTs, hundredths(endTs)),
  }));
}

/** Coverage where a rule says what is found within a span. Neighbours of one kind are joined. */
function paint(coverage: Coverage, { ts, endTs }: Span, rule: Rule, { channel }: SettledEvent): Coverage {
  if (ts >= endTs) return coverage;
  const edges = new Set([...coverage.flatMap(span => [span.ts, span.endTs]), ts, endTs]);
  const cuts = [...edges].sort((left, right) => left - right);
  const painted: CoverageSpan[] = [];
  let next = 0;
  cuts.slice(0, -1).forEach((from, index) => {
    const to = cuts[index + 1]!;
    while (next < coverage.length && coverage[next]!.endTs <= from) next++;
    const there =
      next < coverage.length && coverage[next]!.ts <= from ? findingOf(coverage[next]!) : undefined;
    const finding = from >= ts && to <= endTs ? rule(there) : there;
    if (finding) pushJoined(painted, { ts: from, endTs: to, ...finding, ...(channel && { channel }) });
  });
  return painted;
}

const findingOf = ({ kind, provenance, cause }: CoverageSpan): Finding => ({
  kind,
  ...(provenance && { provenance }),
  ...(cause && { cause }),
});

function pushJoined(spans: CoverageSpan[], span: CoverageSpan): void {
  const whole = joinedSpan(spans.at(-1), span);
  if (whole) spans[spans.length - 1] = whole;
  else spans.push(span);
}

/** A span and its neighbour as one, where they are of one kind. */
export function joinedSpan(last: CoverageSpan | undefined, span: CoverageSpan): CoverageSpan | undefined {
  const isOne =
    last?.endTs === span.ts &&
    last.kind === span.kind &&
    last.provenance === span.provenance &&
    last.cause === span.cause;
  return isOne ? { ...last, endTs: span.endTs } : undefined;
}
