import type { Token } from '../text/tokens.ts';

/** A token with known or estimated times. */
export type TimedToken = Required<Token>;

/** Estimated seconds per character: 15 characters per second, as in ordinary speech. */
const SECONDS_PER_CHARACTER = 1 / 15;
/** Maximum seconds per character of an estimate; any time beyond counts as silence. */
const MAX_SECONDS_PER_CHARACTER = 0.2;

/**
 * Gives every token a span: tokens without times share the time between their neighbours, by length. Starts never decrease, and
 * no token ends before it starts.
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

/** Returns the end of a run of tokens without end times: the index of the next token that has a start. */
function runEnd(tokens: readonly Token[], start: number): number {
  let end = start + 1;
  while (end < tokens.length && tokens[end]?.ts === undefined) end++;
  return end;
}

function spread(run: readonly Token[], before: TimedToken | undefined, nextTs: number | undefined) {
  const total = run.reduce((sum, { text }) => sum + text.length + 1, 0);
  const ordinary = total * SECONDS_PER_CHARACTER;
  const earliest = before?.endTs ?? (nextTs === undefined ? 0 : Math.max(0, nextTs - ordinary));
  const from = Math.max(run[0]?.ts ?? earliest, before?.ts ?? 0);
  const room = nextTs === undefined ? ordinary : Math.max(0, nextTs - from);
  const seconds = Math.min(room, total * MAX_SECONDS_PER_CHARACTER);
  let passed = 0;
  return run.map(({ text }): TimedToken => {
    const ts = from + (seconds * passed) / total;
    passed += text.length + 1;
    return { text, ts, endTs: from + (seconds * passed) / total };
  });
}
