import type { SpeakerTurn } from '../diarizer.ts';
import { VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { type Block, blocksOf, speechRegions } from './blocks.ts';
import { type ChangeTuning, segmentsOf } from './changePoints.ts';
import { type ClusterTuning, clustersOf, renumbered } from './clusters.ts';
import { type ResegmentTuning, resegmented } from './resegment.ts';
import type { SpeechFeatures } from './speechFeatures.ts';

export interface DiarizationTuning {
  readonly change: ChangeTuning;
  readonly cluster: Omit<ClusterTuning, 'count'>;
  readonly resegment: ResegmentTuning;
}

export const DIARIZATION_TUNING: DiarizationTuning = {
  change: { sideBlocks: 20, leastBlocks: 8, penalty: 1 },
  cluster: { orderPenalty: 1.5, stop: { penalty: 2.5, tolerance: 0.75 } },
  resegment: { components: 8, changeCost: 40, leastBlocks: 8, rounds: 2 },
};

/** Returns the turns of a whole recording. */
export function speakerTurns(
  features: SpeechFeatures,
  speakersCount?: number,
  tuning = DIARIZATION_TUNING,
): readonly SpeakerTurn[] {
  const blocks = blocksOf(features, speechRegions(features));
  const segments = segmentsOf(blocks, tuning.change);
  const clusters = clustersOf(
    segments.map(({ sum }) => sum),
    { ...tuning.cluster, count: speakersCount },
  );
  const labels = segments.flatMap(({ from, to }, index) =>
    new Array<number>(to - from).fill(clusters[index]!),
  );
  return turnsOf(blocks, renumbered(resegmented(blocks, labels, tuning.resegment)));
}

function turnsOf(blocks: readonly Block[], labels: readonly number[]): readonly SpeakerTurn[] {
  const turns: { speaker: number; startFrame: number; endFrame: number }[] = [];
  for (const [index, { window, windows }] of blocks.entries()) {
    const speaker = labels[index]!;
    const [startFrame, endFrame] = [window * VOICE_WINDOW_FRAMES, (window + windows) * VOICE_WINDOW_FRAMES];
    const last = turns.at(-1);
    if (last?.speaker === speaker && last.endFrame === startFrame) last.endFrame = endFrame;
    else turns.push({ speaker, startFrame, endFrame });
  }
  return turns;
}
