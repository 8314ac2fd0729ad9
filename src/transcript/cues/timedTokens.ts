import type { Token } from '../text/tokens.ts';

/** A token whose place in time is known or estimated. */
export type TimedToken = Required<Token>;

/** Seconds that a character takes when nothing else is known: 15 a second, as in ordinary speech. */
const SECONDS_PER_CHARACTER = 1 / 15;
/** Tokens are not stretched beyond this, in seconds a character: what is left is silence. */
const MAX_SECONDS_PER_CHARACTER = 0.2;

/**
 * Gives every token a span: those without times share the time between their neighbours by length. Starts come out in
 * order, and no token ends before it starts.
 */
export function timedTokens(tokens: readonly Token[]): readonly TimedToken[] {
  const timed: TimedToken[] = [];
  let at = 0;
  while (at < tokens.length) {
    const known = tokens[at]!;
    if (known.ts !== undefined && known.endTs !== undefined) {
      const ts = Math.max(known.ts, timed.at(-1)?.ts ?? 0);
      timed.push({ text: known.text, ts, endTs: Math.max(ts, known.endTs) });
      at++;
      continue;
    }
    const end = runEnd(tokens, at);
    for (const token of spread(tokens.slice(at, end), timed.at(-1), tokens[end]?.ts)) timed.push(token);
    at = end;
  }
  return timed;
}

/** The end of a run of tokens that have no end of their own, up to the next that has a start. */
function runEnd(tokens: readonly Token[], start: number): number {
  let end = start + 1;
  while (end < tokens.length && tokens[end]!.ts === undefined) end++;
  return end;
}

function spread(run: readonly Token[], before: TimedToken | undefined, nextTs: number | undefined) {
  const lengths = run.map(token => token.text.length + 1);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const ordinary = total * SECONDS_PER_CHARACTER;
  const earliest = before?.endTs ?? (nextTs === undefined ? 0 : Math.max(0, nextTs - ordinary));
  const from = Math.max(run[0]!.ts ?? earliest, before?.ts ?? 0);
  const room = nextTs === undefined ? ordinary : Math.max(0, nextTs - from);
  const seconds = Math.min(room, total * MAX_SECONDS_PER_CHARACTER);
  let passed = 0;
  return run.map(({ text }, index): TimedToken => {
    const ts = from + (seconds * passed) / total;
    passed += lengths[index]!;
    return { text, ts, endTs: from + (seconds * passed) / total };
  });
}
