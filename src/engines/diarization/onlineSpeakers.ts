import type { Block } from './blocks.ts';
import { type ChangeTuning, segmentsOf } from './changePoints.ts';
import { addSum, bicDifference, createGaussianSum, type GaussianSum } from './gaussian.ts';

export interface OnlineTuning {
  readonly change: ChangeTuning;
  /** What a parameter costs: the more, the fewer speakers. */
  readonly penalty: number;
  /** Windows of speech that it takes to know somebody new. */
  readonly leastWindows: number;
}

export const ONLINE_TUNING: OnlineTuning = {
  change: { sideBlocks: 20, leastBlocks: 8, penalty: 2.4 },
  penalty: 2.4,
  leastWindows: 150,
};

interface KnownSpeaker {
  readonly sum: GaussianSum;
  /** From 0, in the order in which they were asked for; undefined while they were not. */
  number?: number;
}

/** Knows speakers again by what they said before; it keeps a Gaussian for each. */
export interface OnlineSpeakers {
  /** The number of whoever speaks most of some blocks; of nobody, that of who spoke last. */
  speakerOf(blocks: readonly Block[]): number;
}

/** @param most speakers that there are; by default as many as are heard */
export function createOnlineSpeakers(
  most = Number.POSITIVE_INFINITY,
  tuning: OnlineTuning = ONLINE_TUNING,
): OnlineSpeakers {
  const known: KnownSpeaker[] = [];
  let numbers = 0;
  let last = 0;

  function recognise(sum: GaussianSum): KnownSpeaker | undefined {
    let best: KnownSpeaker | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const speaker of known) {
      const cost = bicDifference(speaker.sum, sum, tuning.penalty);
      if (cost >= bestCost) continue;
      best = speaker;
      bestCost = cost;
    }
    if (sum.count < tuning.leastWindows) return best;
    if (!best || (bestCost >= 0 && known.length < most)) {
      best = { sum: createGaussianSum() };
      known.push(best);
    }
    addSum(best.sum, sum);
    return best;
  }

  return {
    speakerOf(blocks) {
      const windows = new Map<KnownSpeaker, number>();
      for (const { sum } of segmentsOf(blocks, tuning.change)) {
        const speaker = recognise(sum);
        if (speaker) windows.set(speaker, (windows.get(speaker) ?? 0) + sum.count);
      }
      const [main] = [...windows].sort(([, one], [, other]) => other - one)[0] ?? [];
      if (main) last = main.number ??= numbers++;
      return last;
    },
  };
}
