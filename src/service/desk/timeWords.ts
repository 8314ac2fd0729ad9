import { RxscribeError } from '../../base/errors.ts';
import type { TextElement, Transcript, TranscriptElement } from '../../transcript/model/model.ts';
import { tooManyRequests } from '../problems.ts';
import { isEngineFault } from '../tasks/engineCall.ts';
import type { Segment } from '../tasks/inputs.ts';
import type { Span } from '../tasks/speakers.ts';
import { type DeskContext, segmentsOf } from './deskContext.ts';
import type { TimeWords } from './deskFinish.ts';
import type { DeskSound } from './deskSound.ts';

/** Milliseconds for aligning a stretch, beside the length of its audio. */
const TIMEOUT_MS = 60_000;
/** Milliseconds after which a job may be finished again when the recogniser has no session free. */
const BUSY_WAIT_MS = 5000;
/** Words with times that are aligned before the first and after the last word without: they show where those in between are. */
const WORDS_AROUND = 30;
/** Seconds of audio in memory. */
const BLOCK_SECONDS = 30;

/**
 * Creates the function that times the words of a finished transcript that have no times: it aligns the stretch from the first
 * to the last of them. Words that are not found between their neighbours stay without times; so do all without an aligner
 * for the language, when it fails, or when it is late.
 */
export function createTimeWords(
  { aligner, onError }: Pick<DeskContext, 'aligner' | 'onError'>,
  sound: Pick<DeskSound, 'samples'>,
): TimeWords {
  return async (transcript, job, onProgress) => {
    const { language = 'en' } = job;
    const stretch = untimedStretch(transcript, segmentsOf(job));
    if (!stretch || !aligner?.languages.includes(language)) return transcript;
    const { words, ts, endTs } = stretch;
    const signal = AbortSignal.timeout(TIMEOUT_MS + Math.ceil(1000 * (endTs - ts)));
    async function* audio() {
      for (let from = ts; from < endTs; from += BLOCK_SECONDS) {
        yield await sound.samples(job, from, Math.min(endTs, from + BLOCK_SECONDS));
        onProgress(Math.min(1, (from + BLOCK_SECONDS - ts) / (endTs - ts)));
      }
    }
    try {
      const values = words.map(({ value }) => value);
      const found = await aligner.align(audio(), values, { language, signal });
      const at = (frame: number) => Math.round(1000 * (ts + frame / aligner.sampleRate)) / 1000;
      const spans = found.map(({ startFrame, endFrame }) =>
        startFrame === undefined || endFrame === undefined
          ? undefined
          : { ts: at(startFrame), endTs: at(endFrame) },
      );
      return withSpans(transcript, spansBetween(stretch, spans));
    } catch (error) {
      if (error instanceof RxscribeError && error.code === 'unavailable') throw tooManyRequests(BUSY_WAIT_MS);
      if (!isEngineFault(error) && !signal.aborted) throw error;
      onError(error);
      return transcript;
    }
  };
}

/** Words, and the time in which they are spoken. */
interface Stretch extends Span {
  readonly words: readonly TextElement[];
}

/** Returns the words from the first to the last without a time, with some around them; undefined when all have times. */
function untimedStretch({ monologues }: Transcript, segments: readonly Segment[]): Stretch | undefined {
  const words = monologues.flatMap(({ elements }) => elements.filter(element => element.type === 'text'));
  const first = words.findIndex(({ ts }) => ts === undefined);
  if (first < 0) return undefined;
  const from = Math.max(0, first - WORDS_AROUND);
  const to = words.findLastIndex(({ ts }) => ts === undefined) + 1 + WORDS_AROUND;
  const ts = words[from - 1]?.endTs ?? Math.min(...segments.map(({ start }) => start));
  const endTs = words[to]?.ts ?? Math.max(...segments.map(({ end }) => end));
  // People who talk at the same time may leave none.
  return ts < endTs ? { words: words.slice(from, to), ts, endTs } : undefined;
}

/** Returns those times of words without times that lie between the words around them, which keep theirs. */
function spansBetween(
  { words, ts, endTs }: Stretch,
  found: readonly (Span | undefined)[],
): ReadonlyMap<TranscriptElement, Span> {
  const limits: number[] = [];
  for (const word of words.toReversed()) limits.push(word.ts ?? limits.at(-1) ?? endTs);
  const spans = new Map<TranscriptElement, Span>();
  let reached = ts;
  for (const [index, word] of words.entries()) {
    const limit = limits.pop()!;
    const span = found[index];
    if (word.ts !== undefined) reached = word.endTs ?? word.ts;
    else if (span && isWithin(span, { ts: reached, endTs: limit })) {
      const within = { ts: Math.max(span.ts, reached), endTs: Math.min(span.endTs, limit) };
      spans.set(word, within);
      reached = within.endTs;
    }
  }
  return spans;
}

/** Returns whether the middle of a span lies within another. */
function isWithin({ ts, endTs }: Span, limits: Span): boolean {
  const middle = (ts + endTs) / 2;
  return limits.ts < middle && middle < limits.endTs;
}

function withSpans({ monologues }: Transcript, spans: ReadonlyMap<TranscriptElement, Span>): Transcript {
  return {
    monologues: monologues.map(monologue => ({
      ...monologue,
      elements: monologue.elements.map(element => ({ ...element, ...spans.get(element) })),
    })),
  };
}
