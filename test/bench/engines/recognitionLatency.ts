import { existsSync, readFileSync } from 'node:fs';
import type { StabilizerOptions } from '../../../src/captions/words/agreement.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { DEFAULT_PAUSE_SECONDS } from '../../../src/engines/voice/endpointer.ts';
import type { FinalEvent, LiveEvent, PartialEvent } from '../../../src/transcript/model/events.ts';
import type { TextElement } from '../../../src/transcript/model/model.ts';
import {
  partialSteps,
  type Stability,
  type StabilityStep,
  stabilityOf,
} from '../../../src/transcript/text/stability.ts';
import { quantile } from '../../helpers/quantile.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { shownSteps } from '../../helpers/shownSteps.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';
import { rounded } from '../parts/rounded.ts';
import { type Arrival, playStream } from './parts/playStream.ts';
import { RUNTIMES } from './parts/runtimeFloor.ts';
import { type DecidedSpan, speechSpansOf } from './parts/speechSpansOf.ts';

const SAMPLE_RATE = 16_000;
/** Silence after each recording, so that a pause ends its last utterance. */
const SILENCE_SECONDS = 1.5;
/**
 * Distance from the reference's start, in seconds, within which a recognised first word counts as the same.
 */
const SAME_WORD_SECONDS = 0.5;

/** Shows a word when two partials in a row have it, and keeps it. */
const TWO_AGREE: StabilizerOptions = {
  agreePartials: 2,
  agreeMs: Number.POSITIVE_INFINITY,
  holdBackWords: 0,
  tailPartials: Number.POSITIVE_INFINITY,
};

/** A recording streamed in real time, with its results. */
interface Played {
  readonly arrivals: readonly Arrival[];
  readonly spans: readonly DecidedSpan[];
  /** Starts of the reference words in seconds; empty when unknown. */
  readonly starts: readonly number[];
}

/**
 * Measures how soon words of live streams are shown and final, and how many shown words are withdrawn.
 *
 * The floor of a first partial is 0; that of a final is the best possible for a recogniser that waits for a
 * pause.
 */
export async function run(): Promise<void> {
  const recordings = speechRecordings();
  const rows = [];
  const stability = [];
  for (const runtime of RUNTIMES) {
    await using recognizer = createMoonshineRecognizer({ runtime });
    await recognizer.warm();
    const played: Played[] = [];
    for (const recording of recordings) {
      played.push(await play(recognizer, samplesOf(recording), wordStarts(recording.path)));
    }
    rows.push(...delayRows(played).map(row => ({ runtime, ...row })));
    stability.push(...stabilityRows(played).map(row => ({ runtime, ...row })));
  }
  console.table(rows);
  console.table(stability);
}

async function play(recognizer: Recognizer, samples: Int16Array, starts: readonly number[]): Promise<Played> {
  const audio = joined(samples, silence(SILENCE_SECONDS));
  const spans = await speechSpansOf(audio);
  return { arrivals: await playStream(await recognizer.open(), audio), spans, starts };
}

/** Reads `NAME.words.json` beside `NAME.wav`: start, end and word in turn; pauses are empty words. */
function wordStarts(path: string): readonly number[] {
  const beside = path.replace(/\.wav$/, '.words.json');
  if (!existsSync(beside)) return [];
  const words = JSON.parse(readFileSync(beside, 'utf8')) as readonly (readonly [number, number, string])[];
  return words.filter(([, , word]) => word !== '').map(([start]) => start);
}

function delayRows(played: readonly Played[]) {
  const rowOf = (delay: string, values: readonly number[], floor: string) => ({
    delay,
    n: values.length,
    'p50, s': rounded(quantile(values, 0.5)),
    'p95, s': rounded(quantile(values, 0.95)),
    'most, s': rounded(quantile(values, 1)),
    floor,
  });
  const decided = played.flatMap(finalDelays);
  const pause = DEFAULT_PAUSE_SECONDS;
  return [
    rowOf('first word begins to first partial', played.flatMap(firstDelays), '0'),
    rowOf(
      'pause is long enough to final',
      decided.map(({ sinceDecision }) => sinceDecision),
      '0',
    ),
    rowOf(
      'last word ends to final',
      decided.map(({ sinceWord }) => sinceWord),
      `the pause: ${pause}`,
    ),
  ];
}

/**
 * Returns the delay of each utterance, from the start of its first word to its first partial, or else its
 * final.
 */
function firstDelays({ arrivals, starts }: Played): readonly number[] {
  const delays: number[] = [];
  let first: number | undefined;
  for (const { result, seconds } of arrivals) {
    if (result.words.length > 0) first ??= seconds;
    if (result.type !== 'final') continue;
    if (!follows(arrivals, result)) delays.push(first! - firstWordStart(result, starts));
    first = undefined;
  }
  return delays;
}

/** Returns whether a final continues one that was cut, so that no word begins there. */
function follows(arrivals: readonly Arrival[], final: RecognizerResult): boolean {
  const finals = arrivals.map(({ result }) => result).filter(({ type }) => type === 'final');
  return finals[finals.indexOf(final) - 1]?.cut ?? false;
}

function firstWordStart({ startFrame }: RecognizerResult, starts: readonly number[]): number {
  const heard = startFrame / SAMPLE_RATE;
  const [nearest] = starts.toSorted((one, other) => Math.abs(one - heard) - Math.abs(other - heard));
  return nearest !== undefined && Math.abs(nearest - heard) < SAME_WORD_SECONDS ? nearest : heard;
}

/** Returns the delays of the finals that a pause ended. */
function finalDelays({ arrivals, spans }: Played) {
  return arrivals.flatMap(({ result, seconds }) => {
    if (result.type !== 'final' || result.cut) return [];
    const span = spans.find(({ startFrame, endFrame }) => {
      const middle = (result.startFrame + result.endFrame) / 2;
      return startFrame <= middle && middle < endFrame;
    });
    if (!span || span.cut) return [];
    const sinceDecision = seconds - span.decidedFrame / SAMPLE_RATE;
    return [{ sinceDecision, sinceWord: seconds - result.endFrame / SAMPLE_RATE }];
  });
}

function stabilityRows(played: readonly Played[]) {
  const rowOf = (shown: string, stepsOf: (events: readonly LiveEvent[]) => Iterable<StabilityStep>) => {
    const all = played.flatMap(({ arrivals }) => [...stepsOf(arrivals.map(({ result }) => eventOf(result)))]);
    const { unstableWords, finalWords, upwr, upsr }: Stability = stabilityOf(all);
    return {
      shown,
      'words taken back': unstableWords,
      'of words': finalWords,
      UPWR: rounded(upwr),
      UPSR: rounded(upsr),
    };
  };
  return [
    rowOf('partials as they come', partialSteps),
    rowOf('on which two partials agree', events => shownSteps(events, TWO_AGREE)),
    rowOf('captions as they are by default', shownSteps),
  ];
}

function eventOf({ type, words, startFrame, endFrame }: RecognizerResult): PartialEvent | FinalEvent {
  const span = { ts: startFrame / SAMPLE_RATE, endTs: endFrame / SAMPLE_RATE };
  const elements = words.map(
    (word): TextElement => ({
      type: 'text',
      value: word.value,
      ts: word.startFrame / SAMPLE_RATE,
      endTs: word.endFrame / SAMPLE_RATE,
    }),
  );
  return { type, ...span, elements };
}
