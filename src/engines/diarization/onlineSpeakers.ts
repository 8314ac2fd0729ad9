import type { Block } from './blocks.ts';
import { segmentsOf } from './changePoints.ts';
import {
  clusterOf,
  clustersOf,
  gainOfTwo,
  type Labels,
  MERGE_ORDER,
  type SpeakerCriterion,
} from './clusters.ts';
import { addSum, createGaussianSum, type GaussianSum } from './gaussian.ts';

/** Criterion by which two stretches of a stream are of two speakers. */
const STREAM_CRITERION: SpeakerCriterion = { penalty: 2, tolerance: 0.5 };
/** Windows of speech needed for a new speaker. */
const LEAST_WINDOWS = 150;
/** Limit of remembered voices, by default. */
const MOST_VOICES = 60;

/** A stretch of speech by one speaker. */
interface Voice {
  readonly sum: GaussianSum;
  /** Number of the speaker, as last returned; undefined before. */
  number?: number;
}

/**
 * Creates the speakers of a stream, in bounded memory. Each call clusters all remembered speech again, so that later speech
 * helps to assign short stretches; a cluster keeps the number that most of it has.
 *
 * @param most limit of speakers; default: none
 * @param mostVoices limit of remembered voices; above it, voices of one speaker are merged, then the oldest are
 *   forgotten
 */
export function createOnlineSpeakers(most = Number.POSITIVE_INFINITY, mostVoices = MOST_VOICES) {
  let known: readonly Voice[] = [];
  let numbers = 0;
  let last = 0;

  function cluster(voices: readonly Voice[]): Labels {
    const sums = voices.map(({ sum }) => sum);
    const labels = clustersOf(sums, STREAM_CRITERION);
    const isTooMany = Math.max(-1, ...labels) + 1 > most;
    return isTooMany ? clustersOf(sums, STREAM_CRITERION, most) : labels;
  }

  function numberOf(label: number, voices: readonly Voice[], labels: Labels): number {
    const numberByLabel = numbersOf(voices, labels);
    const own = numberByLabel.get(label);
    if (own !== undefined) return own;
    const sumOf = (wanted: number) => totalOf(voices.filter((_, index) => labels[index] === wanted));
    const sum = sumOf(label);
    if (numbers === 0 || (sum.count >= LEAST_WINDOWS && numbers < most)) return numbers++;
    const gains = [...numberByLabel].map(([other, number]) => {
      return { number, gain: gainOfTwo(clusterOf(sumOf(other)), clusterOf(sum), MERGE_ORDER) };
    });
    return gains.sort((one, other) => one.gain - other.gain)[0]?.number ?? last;
  }

  return {
    /**
     * Returns the number of the speaker who talks most in some blocks; without speech, that of the last
     * speaker.
     */
    speakerOf(blocks: readonly Block[]) {
      const heard: readonly Voice[] = segmentsOf(blocks).map(({ sum }) => ({ sum }));
      if (heard.length === 0) return last;
      const voices = [...known, ...heard];
      const labels = cluster(voices);
      const windows = new Map<number, number>();
      for (const [index, { sum }] of heard.entries()) {
        const label = labels[known.length + index]!;
        windows.set(label, (windows.get(label) ?? 0) + sum.count);
      }
      const main = [...windows].sort(([, one], [, other]) => other - one)[0]![0];
      last = numberOf(main, voices, labels);
      for (const [index, voice] of voices.entries()) {
        if (labels[index] === main) voice.number ??= last;
      }
      known = fewer(voices, labels, mostVoices);
      return last;
    },
  };
}

/**
 * Returns the number of each label that has one: that of most of its speech, unless most speech with that
 * number has another label.
 */
function numbersOf(voices: readonly Voice[], labels: Labels): ReadonlyMap<number, number> {
  const tallies = new Map<string, { label: number; number: number; windows: number }>();
  for (const [index, { sum, number }] of voices.entries()) {
    if (number === undefined) continue;
    const label = labels[index]!;
    const key = `${label} ${number}`;
    tallies.set(key, { label, number, windows: (tallies.get(key)?.windows ?? 0) + sum.count });
  }
  const numbers = new Map<number, number>();
  const given = new Set<number>();
  for (const { label, number } of [...tallies.values()].sort((one, other) => other.windows - one.windows)) {
    if (numbers.has(label) || given.has(number)) continue;
    numbers.set(label, number);
    given.add(number);
  }
  return numbers;
}

/**
 * Returns at most `most` recent voices: where there are more, voices of one speaker are merged in pairs
 * first.
 */
function fewer(voices: readonly Voice[], labels: Labels, most: number): readonly Voice[] {
  if (voices.length <= most) return voices;
  const open = new Map<string, GaussianSum>();
  const latest: Voice[] = [];
  for (const [index, { sum, number }] of [...voices.entries()].reverse()) {
    const key = `${labels[index]} ${number}`;
    const later = open.get(key);
    open.delete(key);
    if (later) addSum(later, sum);
    else {
      open.set(key, sum);
      latest.push({ sum, number });
    }
  }
  return latest.slice(0, most).reverse();
}

function totalOf(voices: readonly Voice[]): GaussianSum {
  const total = createGaussianSum();
  for (const { sum } of voices) addSum(total, sum);
  return total;
}
