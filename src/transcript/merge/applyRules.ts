import type { Coverage, CoverageSpan } from '../model/coverage.ts';

export type Span = Pick<CoverageSpan, 'ts' | 'endTs'>;
/** The state of a span of audio, without its times. */
export type SpanState = Pick<CoverageSpan, 'kind' | 'provenance' | 'cause'>;
/** Returns the new state of audio by its current one; undefined stands for audio without a result. */
export type Rule = (current: SpanState | undefined) => SpanState | undefined;

/** A span to which a rule applies. */
export interface RuleSpan extends Span {
  readonly rule: Rule;
}

/** Applies rules to the spans of a coverage. The rule spans are in order; adjacent spans of one state are joined. */
export function applyRules(
  coverage: Coverage,
  ruleSpans: readonly RuleSpan[],
  channel: number | undefined,
): Coverage {
  const lasting = ruleSpans.filter(({ ts, endTs }) => ts < endTs);
  const edges = new Set([...coverage, ...lasting].flatMap(span => [span.ts, span.endTs]));
  const cuts = [...edges].sort((left, right) => left - right);
  const coverageAt = walker(coverage);
  const ruleAt = walker(lasting);
  const result: CoverageSpan[] = [];
  let [ts = 0] = cuts;
  for (const endTs of cuts.slice(1)) {
    const span = coverageAt(ts);
    const current = span && stateOf(span);
    const ruleSpan = ruleAt(ts);
    const state = ruleSpan ? ruleSpan.rule(current) : current;
    if (state) pushJoined(result, { ts, endTs, ...state, ...(channel && { channel }) });
    ts = endTs;
  }
  return result;
}

/** Returns a function that finds the span that contains a time. Call it with non-decreasing times. */
function walker<T extends Span>(spans: readonly T[]): (ts: number) => T | undefined {
  let next = 0;
  return ts => {
    let span = spans[next];
    while (span && span.endTs <= ts) span = spans[++next];
    return span && span.ts <= ts ? span : undefined;
  };
}

const stateOf = ({ kind, provenance, cause }: CoverageSpan): SpanState => ({
  kind,
  ...(provenance && { provenance }),
  ...(cause && { cause }),
});

function pushJoined(spans: CoverageSpan[], span: CoverageSpan): void {
  const whole = joinedSpan(spans.at(-1), span);
  if (whole) spans[spans.length - 1] = whole;
  else spans.push(span);
}

/** Joins a span with the one before it when they are adjacent and of one state, else returns undefined. */
export function joinedSpan(last: CoverageSpan | undefined, span: CoverageSpan): CoverageSpan | undefined {
  const isOne =
    last?.endTs === span.ts &&
    last.kind === span.kind &&
    last.provenance === span.provenance &&
    last.cause === span.cause;
  return isOne ? { ...last, endTs: span.endTs } : undefined;
}
