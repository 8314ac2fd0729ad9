import { DESK_LIMITS } from '../../protocol/limits.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { isEngineFault } from '../tasks/engineCall.ts';
import { lengthOf } from '../tasks/human/timeAxis.ts';
import type { Segment } from '../tasks/inputs.ts';
import type { Span } from '../tasks/speakers.ts';
import { type DeskContext, segmentsOf } from './deskContext.ts';
import type { TimeWords } from './deskFinish.ts';
import type { DeskSound } from './deskSound.ts';

/**
 * Milliseconds for aligning the words of a finished transcript, beside the length of its audio; words left over get the times
 * of the words around them.
 */
const TIMEOUT_MS = 60_000;

/** Runs of words that are aligned at the same time. */
const RUNS_AT_ONCE = 2;
/** Seconds of audio for which a second process of the aligner is not worth its start. */
const SECONDS_OF_ONE = 120;

/** Words of a part of a long run, and its length relative to their share of the time: nobody speaks at one speed. */
const PART_WORDS = 150;
const PART_LENGTH = 1.5;
/** Words at the end of a part that are aligned again with the next one: they may be spoken after it. */
const DOUBTFUL_WORDS = 10;

/** Seconds of audio around a part: the words beside it may have been cut a little late or early. */
const MARGIN_SECONDS = 0.05;

/** A part of the audio in seconds, with the words that are spoken in it. */
export interface SpokenPart extends Span {
  readonly words: readonly string[];
}

/**
 * Returns the times of words in seconds; undefined for a word that was not found, and for all words without an aligner for
 * the language, when it fails, or when the signal is aborted.
 */
export type AlignPart = (
  job: JobRecord,
  part: SpokenPart,
  signal: AbortSignal,
) => Promise<readonly (Span | undefined)[]>;

export function createAlignPart(
  { aligner, onError }: Pick<DeskContext, 'aligner' | 'onError'>,
  sound: DeskSound,
): AlignPart {
  return async (job, { words, ts, endTs }, signal) => {
    const { language = 'en' } = job;
    if (!aligner?.alignSpoken || !aligner.languages.includes(language)) return words.map(() => undefined);
    try {
      const from = Math.max(0, ts - MARGIN_SECONDS);
      const samples = await sound.samples(job, from, endTs + MARGIN_SECONDS);
      const found = await aligner.alignSpoken(samples, words, { language, signal });
      const at = (frame: number) => {
        const seconds = Math.round(1000 * (from + frame / aligner.sampleRate)) / 1000;
        return Math.min(Math.max(seconds, ts), endTs);
      };
      return found.map(({ startFrame, endFrame }) =>
        startFrame === undefined || endFrame === undefined || at(startFrame) >= at(endFrame)
          ? undefined
          : { ts: at(startFrame), endTs: at(endFrame) },
      );
    } catch (error) {
      if (!isEngineFault(error) && !signal.aborted) throw error;
      if (!signal.aborted) onError(error);
      return words.map(() => undefined);
    }
  };
}

/** A word of no dictionary: to align it, an aligner also loads the model that spells unknown words. */
const UNKNOWN_WORD = 'zyqqorian';

/**
 * Creates a function that makes the aligner load its models, and keeps it from unloading them, so that the first words of a
 * person are timed as fast as others. It has no effect without an aligner for the language; errors are those of the next words.
 */
export function createWarmUp({ aligner }: Pick<DeskContext, 'aligner'>): (language: string) => void {
  return language => {
    if (!aligner?.alignSpoken || !aligner.languages.includes(language)) return;
    const silence = new Int16Array(aligner.sampleRate / 10);
    aligner.alignSpoken(silence, [UNKNOWN_WORD], { language }).catch(() => {});
  };
}

/** Creates the function that times the words of a finished transcript that have no times. */
export function createTimeWords(alignPart: AlignPart): TimeWords {
  return async (transcript, job, onProgress) => {
    const over = new AbortController();
    const late = AbortSignal.timeout(TIMEOUT_MS + Math.ceil(1000 * (job.durationSeconds ?? 0)));
    const signal = AbortSignal.any([late, over.signal]);
    const elements = transcript.monologues.flatMap(monologue => monologue.elements);
    const spans = new Map<TranscriptElement, Span>();
    const runs = untimedRuns(elements, segmentsOf(job));
    const total = lengthOf(runs);
    let done = 0;
    // Each call aligns the next run until none is left.
    const alignRuns = async () => {
      for (let run = runs.shift(); run && !signal.aborted; run = runs.shift()) {
        const part = beginningOf(run);
        const values = part.words.map(({ value }) => value);
        const found = await alignPart(job, { ...part, words: values }, signal);
        const rest = restOf(run, part, found);
        const count = run.words.length - rest.words.length;
        for (const [index, word] of run.words.slice(0, count).entries()) {
          const span = found[index];
          if (span) spans.set(word, span);
        }
        if (rest.words.length > 0 && rest.ts < rest.endTs) runs.unshift(rest);
        done += rest.ts - run.ts;
        onProgress(done / total);
      }
    };
    try {
      const length = Math.min(RUNS_AT_ONCE, Math.ceil(total / SECONDS_OF_ONE));
      await Promise.all(Array.from({ length }, alignRuns));
    } finally {
      over.abort();
    }
    return {
      monologues: transcript.monologues.map(monologue => ({
        ...monologue,
        elements: monologue.elements.map(element => ({ ...element, ...spans.get(element) })),
      })),
    };
  };
}

interface Run extends Span {
  readonly words: readonly TextElement[];
}

/** Returns the words of a run that are aligned at once, with the time in which they probably are. */
function beginningOf(run: Run): Run {
  const { words, ts, endTs } = run;
  const { alignedWords, alignedSeconds } = DESK_LIMITS;
  if (words.length <= alignedWords && endTs - ts <= alignedSeconds) return run;
  const seconds = PART_LENGTH * Math.min(1, PART_WORDS / words.length) * (endTs - ts);
  const to = Math.min(endTs, ts + Math.min(seconds, alignedSeconds));
  return { words: words.slice(0, PART_WORDS), ts, endTs: to };
}

/** Returns the rest of a run after the last certain word of a part; without a certain word, after the part. */
function restOf({ words, endTs }: Run, part: Run, found: readonly (Span | undefined)[]): Run {
  if (part.words.length === words.length && part.endTs === endTs) return { words: [], ts: endTs, endTs };
  const last = found.findLastIndex((span, index) => span && index < found.length - DOUBTFUL_WORDS);
  const count = last < 0 ? found.length : last + 1;
  const ts = found[last]?.endTs ?? part.ts + (part.endTs - part.ts) / PART_LENGTH;
  return { words: words.slice(count), ts, endTs };
}

/** Returns the runs of words without times, with the time between the words around them. */
function untimedRuns(elements: readonly TranscriptElement[], segments: readonly Segment[]): Run[] {
  const runs: Run[] = [];
  const end = Math.max(...segments.map(segment => segment.end));
  let reached = Math.min(...segments.map(segment => segment.start));
  let words: TextElement[] = [];
  const close = (endTs: number) => {
    if (words.length > 0 && reached < endTs) runs.push({ words, ts: reached, endTs });
    words = [];
  };
  for (const element of elements) {
    if (element.type !== 'text') continue;
    if (element.ts === undefined) words.push(element);
    else {
      close(element.ts);
      reached = element.endTs ?? element.ts;
    }
  }
  close(end);
  return runs;
}
