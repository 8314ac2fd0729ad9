import type { Coverage, CoverageSpan } from '../model/coverage.ts';
import type { FinalEvent, HoleEvent, RepairEvent, SilenceEvent } from '../model/events.ts';
import type { TranscriptElement } from '../model/model.ts';
import { timedWords } from '../text/repeatedWords.ts';
import { applyRules, type Rule, type RuleSpan, type Span, type SpanState } from './applyRules.ts';

/** An event with a lasting result for a span of audio. */
export type SettledEvent = FinalEvent | SilenceEvent | HoleEvent | RepairEvent;

/** Longest pause within an utterance of a job, in seconds; live recognisers end their finals at about the same. */
const PAUSE_SECONDS = 1;

const SILENCE: SpanState = { kind: 'silence' };
const REPAIRED_SILENCE: SpanState = { kind: 'silence', provenance: 'repaired' };

/**
 * Adds an event to the coverage of one channel. The result does not depend on the order of events.
 *
 * - A final covers its span. A final without text is silence; one of inaudible speech alone is neither text nor repaired.
 * - A hole replaces finals, which may span audio that was dropped in their middle, and silence, but not a repair. One of
 *   cause `no-final` replaces silence only.
 * - A repair replaces a hole by the words of the job, including short pauses, and silence between them. A gap of the source
 *   stays a hole, as no job received its audio.
 */
export function coverEvent(coverage: Coverage, event: SettledEvent): Coverage {
  const span = coveredSpan(event);
  switch (event.type) {
    case 'final': {
      const kind = kindOf(event.elements);
      const state: SpanState = kind === 'silence' ? SILENCE : { kind, provenance: 'live' };
      return applyRules(coverage, [{ ...span, rule: ifStronger(state) }], event.channel);
    }
    case 'silence':
      return applyRules(coverage, [{ ...span, rule: ifUnknown(SILENCE) }], event.channel);
    case 'hole': {
      const hole: SpanState = { kind: 'hole', cause: event.cause };
      return applyRules(coverage, [{ ...span, rule: ifStronger(hole) }], event.channel);
    }
    case 'repair':
      return applyRules(coverage, ruleSpansOf(event, span), event.channel);
  }
}

/**
 * Adds silence where there is no result, up to the start of a final, since a recogniser reports in order. Nothing is added
 * before the first span, where the stream may not have had audio.
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
    : applyRules(coverage, [{ ts, endTs, rule: ifUnknown(SILENCE) }], channel);
}

/** Only a repair replaces a lasting state; of others, that of the higher rank stays. */
const ifStronger =
  (state: SpanState): Rule =>
  current =>
    isLasting(current) || rankOf(current) > rankOf(state) ? current : state;

const ifUnknown =
  (state: SpanState): Rule =>
  current =>
    current ?? state;

/** Returns the rules of a repair: for its words, and for the silence between them. */
function ruleSpansOf(repair: RepairEvent, span: Span): readonly RuleSpan[] {
  const mend =
    (state: SpanState): Rule =>
    current =>
      !current || (current.kind === 'hole' && current.cause !== 'gap') ? state : current;
  const kind = kindOf(repair.monologues.flatMap(({ elements }) => elements));
  let from = span.ts;
  const ruleSpans = spokenSpans(repair, span).flatMap<RuleSpan>(({ ts, endTs }) => {
    const silence = { ts: from, endTs: ts, rule: mend(REPAIRED_SILENCE) };
    from = endTs;
    return [silence, { ts, endTs, rule: mend({ kind, provenance: 'repaired' }) }];
  });
  return [...ruleSpans, { ts: from, endTs: span.endTs, rule: mend(REPAIRED_SILENCE) }];
}

/** Returns the kind of coverage of a text. */
function kindOf(elements: readonly TranscriptElement[]): CoverageSpan['kind'] {
  if (elements.some(({ type }) => type === 'text')) return 'final';
  return elements.some(({ type }) => type === 'unknown') ? 'inaudible' : 'silence';
}

/** Returns the rank of a state: the highest one of several for the same audio stays. */
function rankOf(state: SpanState | undefined): number {
  if (!state) return -1;
  return ['silence', 'no-final', 'inaudible', 'final', 'hole'].indexOf(
    isWeakHole(state) ? 'no-final' : state.kind,
  );
}

/** Returns whether a final may still come for a hole. */
function isWeakHole(state: SpanState | undefined): boolean {
  return state?.cause === 'no-final';
}

/** Returns whether only a repair may replace a state. */
function isLasting(current: SpanState | undefined): boolean {
  return (current?.kind === 'hole' && !isWeakHole(current)) || current?.provenance === 'repaired';
}

/** Returns the span of an event in the hundredths of the wire. A hole and its repair are at least one hundredth long. */
export function coveredSpan({ type, ts, endTs }: SettledEvent): Span {
  const span = { ts: hundredths(ts), endTs: hundredths(endTs) };
  if (span.ts < span.endTs || (type !== 'hole' && type !== 'repair')) return span;
  return { ts: Math.floor(ts * 100) / 100, endTs: (Math.floor(ts * 100) + 1) / 100 };
}

/** Rounds to hundredths of a second, which also removes rounding errors of arithmetic. */
export const hundredths = (seconds: number) => Math.round(seconds * 100) / 100;

/** Returns the spans of speech in a repair; the whole span when its words have no times. */
function spokenSpans({ monologues }: RepairEvent, whole: Span): readonly Span[] {
  const elements = monologues.flatMap(turn => turn.elements).filter(({ type }) => type !== 'punct');
  const words = timedWords(elements).toSorted((left, right) => left.ts - right.ts);
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
