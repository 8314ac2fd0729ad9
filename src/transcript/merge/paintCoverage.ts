import type { Coverage, CoverageSpan } from '../model/coverage.ts';

export type Span = Pick<CoverageSpan, 'ts' | 'endTs'>;
/** What is known of some audio. */
export type Finding = Pick<CoverageSpan, 'kind' | 'provenance' | 'cause'>;
export type Found = Finding | undefined;
/** What is found where something or nothing was known. */
export type Rule = (there: Found) => Found;

/** What is found between two times. */
export interface Stroke extends Span {
  readonly rule: Rule;
}

/** Coverage where rules say what is found within spans, which are in order. Neighbours of one kind are joined. */
export function paintCoverage(
  coverage: Coverage,
  strokes: readonly Stroke[],
  channel: number | undefined,
): Coverage {
  const lasting = strokes.filter(({ ts, endTs }) => ts < endTs);
  const edges = new Set([...coverage, ...lasting].flatMap(span => [span.ts, span.endTs]));
  const cuts = [...edges].sort((left, right) => left - right);
  const coverageAt = walker(coverage);
  const strokeAt = walker(lasting);
  const painted: CoverageSpan[] = [];
  cuts.slice(0, -1).forEach((ts, index) => {
    const span = coverageAt(ts);
    const there = span && findingOf(span);
    const stroke = strokeAt(ts);
    const finding = stroke ? stroke.rule(there) : there;
    if (!finding) return;
    pushJoined(painted, { ts, endTs: cuts[index + 1]!, ...finding, ...(channel && { channel }) });
  });
  return painted;
}

/** Which span begins at or before a time and goes on after it; for times that rise. */
function walker<T extends Span>(spans: readonly T[]): (ts: number) => T | undefined {
  let next = 0;
  return ts => {
    while (next < spans.length && spans[next]!.endTs <= ts) next++;
    const span = spans[next];
    return span && span.ts <= ts ? span : undefined;
  };
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
