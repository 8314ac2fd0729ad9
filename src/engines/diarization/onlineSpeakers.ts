import type { Block } from './blocks.ts';
import { type ChangeTuning, segmentsOf } from './changePoints.ts';
import { type Cluster, clusterOf, gainOfTwo, joinedCluster, type StopTuning } from './clusters.ts';
import type { GaussianSum } from './gaussian.ts';

export interface OnlineTuning {
  readonly change: ChangeTuning;
  /** When what is heard is of somebody new. */
  readonly stop: StopTuning;
  /** Windows of speech that it takes to know somebody new. */
  readonly leastWindows: number;
}

export const ONLINE_TUNING: OnlineTuning = {
  change: { sideBlocks: 20, leastBlocks: 8, penalty: 1 },
  stop: { penalty: 3, tolerance: 0.5 },
  leastWindows: 150,
};

interface KnownSpeaker {
  voice: Cluster;
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
    const heard = clusterOf(sum);
    let best: KnownSpeaker | undefined;
    let leastGain = Number.POSITIVE_INFINITY;
    for (const speaker of known) {
      const gain = gainOfTwo(speaker.voice, heard, tuning.stop);
      if (gain >= leastGain) continue;
      best = speaker;
      leastGain = gain;
    }
    if (sum.count < tuning.leastWindows) return best;
    if (best && (leastGain < 0 || known.length >= most)) {
      best.voice = joinedCluster(best.voice, heard);
      return best;
    }
    const speaker = { voice: heard };
    known.push(speaker);
    return speaker;
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
