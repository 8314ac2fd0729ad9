import type { SpeakerTurn } from '../diarizer.ts';
import { VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { type Block, blocksOf, speechRegions } from './blocks.ts';
import { segmentsOf } from './changePoints.ts';
import { clustersOf, renumbered, type SpeakerCriterion } from './clusters.ts';
import { resegmented } from './resegment.ts';
import type { SpeechFeatures } from './speechFeatures.ts';

/** Criterion by which two stretches of a recording are of two speakers. */
export const RECORDING_CRITERION: SpeakerCriterion = { penalty: 2.5, tolerance: 0.75 };

/** Returns the turns of a whole recording. */
export function speakerTurns(features: SpeechFeatures, speakersCount?: number): readonly SpeakerTurn[] {
  const blocks = blocksOf(features, speechRegions(features));
  const segments = segmentsOf(blocks);
  const sums = segments.map(({ sum }) => sum);
  const clusters = clustersOf(sums, RECORDING_CRITERION, speakersCount);
  const labels = segments.flatMap(({ from, to }, index) =>
    new Array<number>(to - from).fill(clusters[index]!),
  );
  return turnsOf(blocks, renumbered(resegmented(blocks, labels)));
}

function turnsOf(blocks: readonly Block[], labels: readonly number[]): readonly SpeakerTurn[] {
  const turns: { speaker: number; startFrame: number; endFrame: number }[] = [];
  for (const [index, { window, windows }] of blocks.entries()) {
    const speaker = labels[index]!;
    const startFrame = window * VOICE_WINDOW_FRAMES;
    const endFrame = (window + windows) * VOICE_WINDOW_FRAMES;
    const last = turns.at(-1);
    if (last?.speaker === speaker && last.endFrame === startFrame) last.endFrame = endFrame;
    else turns.push({ speaker, startFrame, endFrame });
  }
  return turns;
}
