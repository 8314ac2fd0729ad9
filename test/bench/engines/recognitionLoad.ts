import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer } from '../../../src/engines/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { quantile } from '../../helpers/quantile.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';
import { rounded } from '../parts/rounded.ts';
import { type Arrival, playStream } from './parts/playStream.ts';
import type { RuntimeName } from './parts/runtimeFloor.ts';
import { speechSpansOf } from './parts/speechSpansOf.ts';

const SAMPLE_RATE = 16_000;
/** Concurrent streams on two cores. */
const LOADS: Readonly<Record<RuntimeName, readonly number[]>> = {
  native: [1, 8, 16, 24],
  wasm: [1, 2, 4, 6],
};
const STREAM_SECONDS = 60;
/** Frames of a piece: a tenth of a second, as from clients. */
const PIECE_FRAMES = 1600;
/** Gap between utterances: just enough, with their final silence, to end them. */
const GAP_SECONDS = 0.35;
/** Milliseconds between the starts of streams. */
const STAGGER_MS = 370;
/** Limit of a final's delay after the last word, of which half a second is the pause. */
const MAX_LAG_SECONDS = 2;
/** Limit by which finals in the last third of a stream may be later than those in the first. */
const MAX_GROWTH_SECONDS = 0.5;

/** Measures the delay of finals while many people speak all the time, and the cost of a stream. */
export async function run(): Promise<void> {
  const utterances = await cutUtterances();
  const cores = availableParallelism();
  console.log(`${cores} cores, streams of ${STREAM_SECONDS} s, in which somebody speaks all the time`);
  const rows = [];
  for (const [runtime, loads] of Object.entries(LOADS) as [RuntimeName, readonly number[]][]) {
    let first: number | undefined;
    for (const streams of loads) {
      const audio = Array.from({ length: streams }, (_, index) => streamOf(utterances, index));
      await using recognizer = createMoonshineRecognizer({ runtime, maxSessions: streams });
      await recognizer.warm();
      const { megabytes, ...figures } = await measure(recognizer, audio);
      first ??= megabytes;
      const further = streams > 1 ? Math.round((megabytes - first) / (streams - 1)) : '';
      rows.push({ runtime, streams, ...figures, 'RSS, MB': megabytes, 'each further, MB': further });
    }
  }
  console.table(rows);
}

/** Returns the utterances of all recordings, without pauses. */
async function cutUtterances(): Promise<readonly Int16Array[]> {
  const utterances: Int16Array[] = [];
  for (const recording of speechRecordings()) {
    const samples = samplesOf(recording);
    for (const { startFrame, endFrame } of await speechSpansOf(samples))
      utterances.push(samples.subarray(startFrame, endFrame));
  }
  return utterances;
}

/** Joins utterances, starting with another one for each stream. */
function streamOf(utterances: readonly Int16Array[], index: number): Int16Array {
  const parts: Int16Array[] = [];
  let frames = 0;
  for (let at = index * 5; frames < STREAM_SECONDS * SAMPLE_RATE; at++) {
    const part = joined(utterances[at % utterances.length]!, silence(GAP_SECONDS));
    parts.push(part);
    frames += part.length;
  }
  return joined(...parts).subarray(0, STREAM_SECONDS * SAMPLE_RATE);
}

async function measure(recognizer: Recognizer, audio: readonly Int16Array[]) {
  const sessions = await Promise.all(audio.map(() => recognizer.open()));
  const begun = performance.now();
  const busy = busySeconds();
  let streams: readonly (readonly Arrival[])[] = [];
  let megabytes = 0;
  let late = 0;
  const cpuSeconds = await cpuSecondsOf(async () => {
    streams = await Promise.all(
      sessions.map(async (session, index) => {
        await setTimeout(index * STAGGER_MS);
        const arrivals = await playStream(session, audio[index]!, {
          pieceFrames: PIECE_FRAMES,
          onTaken: seconds => {
            late = Math.max(late, seconds);
          },
        });
        megabytes = Math.max(megabytes, childMegabytes());
        return arrivals;
      }),
    );
  });
  const seconds = (performance.now() - begun) / 1000;
  const othersSeconds = busySeconds() - busy - cpuSeconds;
  const shareOf = (used: number) => Math.round((100 * used) / seconds / availableParallelism());
  const lags = streams.flatMap(lagsOf);
  const lagAt = (share: number) => lagQuantile(lags, share);
  const growth = growthOf(lags);
  const partials = streams.flat().filter(({ result }) => result.type === 'partial').length;
  return {
    processes: childrenWith('moonshine/child').length,
    finals: lags.length,
    'lag p50, s': rounded(lagAt(0.5)),
    'lag p95, s': rounded(lagAt(0.95)),
    'grows by, s': rounded(growth),
    'audio held, s': rounded(late),
    'partials / s': rounded(partials / (streams.length * STREAM_SECONDS)),
    'CPU %': shareOf(cpuSeconds),
    'others %': shareOf(othersSeconds),
    holds: lagAt(0.95) < MAX_LAG_SECONDS && growth < MAX_GROWTH_SECONDS,
    megabytes,
  };
}

interface Lag {
  /** End of the final in the stream, in seconds. */
  readonly at: number;
  /** Seconds from there to its arrival. */
  readonly lag: number;
}

/** Returns the delays of finals that a pause ended; a cut one is decided later than it ends. */
function lagsOf(arrivals: readonly Arrival[]): readonly Lag[] {
  return arrivals
    .filter(({ result }) => result.type === 'final' && !result.cut)
    .map(({ result, seconds }) => {
      const at = result.endFrame / SAMPLE_RATE;
      return { at, lag: seconds - at };
    });
}

function lagQuantile(lags: readonly Lag[], share: number): number {
  const seconds = lags.map(({ lag }) => lag);
  return quantile(seconds, share);
}

/** Returns the growth of the median delay from the first third to the last. */
function growthOf(lags: readonly Lag[]): number {
  const third = (from: number) => {
    const chosen = lags.filter(({ at }) => at >= from && at < from + STREAM_SECONDS / 3);
    return lagQuantile(chosen, 0.5);
  };
  return third((2 * STREAM_SECONDS) / 3) - third(0);
}

/** Returns the processor time of the whole machine so far; with other load, figures mean little. */
function busySeconds(): number {
  const milliseconds = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return milliseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Returns the resident set size of the processes with the model. */
function childMegabytes(): number {
  return childrenWith('moonshine/child').reduce((sum, pid) => {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return sum + Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024);
  }, 0);
}
