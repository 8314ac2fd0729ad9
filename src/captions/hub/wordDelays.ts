import { quantile } from '../../base/quantile.ts';
import type { WordsStep } from '../captionStep.ts';
import type { WordDelay } from '../control/captionControl.ts';

/** Words without times that are remembered: those of an utterance or two. */
const MAX_WAITING = 500;
/** Milliseconds for which a word counts. */
const PERIOD_MS = 60_000;

/** The delays of the words that an output has shown in the last minute. Times of day are in milliseconds. */
export class WordDelays {
  /** Times of shown words whose utterance is not final, by id, oldest first. */
  readonly #shownAt = new Map<number, number>();
  #samples: readonly { readonly atMs: number; readonly seconds: number }[] = [];

  /** Takes a step when it is shown; `spokenAtMs` returns the time of day of a position in the audio. */
  take({ added, endTs = new Map() }: WordsStep, nowMs: number, spokenAtMs: (ts: number) => number): void {
    for (const { id } of added) this.#shownAt.set(id, nowMs);
    const samples = [...endTs].flatMap(([id, ts]) => {
      const atMs = this.#shownAt.get(id);
      return atMs === undefined ? [] : [{ atMs, seconds: Math.max(0, atMs - spokenAtMs(ts)) / 1000 }];
    });
    this.#samples = [...this.#recent(nowMs), ...samples];
    for (const id of endTs.keys()) this.#shownAt.delete(id);
    for (const id of [...this.#shownAt.keys()].slice(0, -MAX_WAITING)) this.#shownAt.delete(id);
  }

  /** Returns the quantiles; undefined when no word was shown. */
  report(nowMs: number): WordDelay | undefined {
    const sorted = this.#recent(nowMs).toSorted((a, b) => a.seconds - b.seconds);
    const counts = sorted.map(({ seconds }) => [seconds, 1] as const);
    const p50 = quantile(counts, 0.5);
    const p95 = quantile(counts, 0.95);
    return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
  }

  #recent(nowMs: number) {
    return this.#samples.filter(({ atMs }) => nowMs - atMs < PERIOD_MS);
  }
}
