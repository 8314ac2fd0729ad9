import type { Block } from './blocks.ts';
import { type ChangeTuning, segmentsOf } from './changePoints.ts';
import { type ClusterTuning, clusterOf, clustersOf, gainOfTwo, type Labels } from './clusters.ts';
import { addSum, createGaussianSum, type GaussianSum } from './gaussian.ts';

export interface OnlineTuning {
  readonly change: ChangeTuning;
  readonly cluster: Omit<ClusterTuning, 'count'>;
  /** Windows of speech needed for a new speaker. */
  readonly leastWindows: number;
  /**
   * Limit of remembered voices. Above it, voices of one speaker are merged, then the oldest are forgotten.
   */
  readonly mostVoices: number;
}

export const ONLINE_TUNING: OnlineTuning = {
  change: { sideBlocks: 20, leastBlocks: 8, penalty: 1 },
  cluster: { orderPenalty: 1.5, stop: { penalty: 2, tolerance: 0.5 } },
  leastWindows: 150,
  mostVoices: 60,
};

/** A stretch of speech by one speaker. */
interface Voice {
  readonly sum: GaussianSum;
  /** Number of the speaker, as last returned; undefined before. */
  number?: number;
}

/** Recognises speakers by their earlier speech, in bounded memory. */
export interface OnlineSpeakers {
  /**
   * Returns the number of the speaker who talks most in some blocks; without speech, that of the last
   * speaker.
   */
  speakerOf(blocks: readonly Block[]): number;
}

/**
 * Creates the speakers of a stream. Each call clusters all remembered speech again, so that later speech
 * helps to assign short stretches; a cluster keeps the number that most of it has.
 *
 * @param most limit of speakers; default: none
 */
export function createOnlineSpeakers(
  most = Number.POSITIVE_INFINITY,
  tuning: OnlineTuning = ONLINE_TUNING,
): OnlineSpeakers {
  let known: readonly Voice[] = [];
  let numbers = 0;
  let last = 0;

  function cluster(voices: readonly Voice[]): Labels {
    const sums = voices.map(({ sum }) => sum);
    const labels = clustersOf(sums, tuning.cluster);
    const isTooMany = Math.max(-1, ...labels) + 1 > most;
    return isTooMany ? clustersOf(sums, { ...tuning.cluster, count: most }) : labels;
  }

  function numberOf(label: number, voices: readonly Voice[], labels: Labels): number {
    const numberByLabel = numbersOf(voices, labels);
    const own = numberByLabel.get(label);
    if (own !== undefined) return own;
    const sumOf = (wanted: number) => totalOf(voices.filter((_, index) => labels[index] === wanted));
    const sum = sumOf(label);
    if (numbers === 0 || (sum.count >= tuning.leastWindows && numbers < most)) return numbers++;
    const order = { penalty: tuning.cluster.orderPenalty, tolerance: 0 };
    const gains = [...numberByLabel].map(([other, number]) => {
      return { number, gain: gainOfTwo(clusterOf(sumOf(other)), clusterOf(sum), order) };
    });
    return gains.sort((one, other) => one.gain - other.gain)[0]?.number ?? last;
  }

  return {
    speakerOf(blocks) {
      const heard: readonly Voice[] = segmentsOf(blocks, tuning.change).map(({ sum }) => ({ sum }));
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
      for (const [index, voice] of voices.entries()) if (labels[index] === main) voice.number ??= last;
      known = fewer(voices, labels, tuning.mostVoices);
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
