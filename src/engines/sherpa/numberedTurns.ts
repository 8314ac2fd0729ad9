import type { SpeakerTurn } from '../diarizer.ts';

/** Turns in the order of their starts, speakers numbered from 0 in the order of their first words. */
export function numberedTurns(turns: readonly SpeakerTurn[]): readonly SpeakerTurn[] {
  const numbers = new Map<number, number>();
  return turns
    .filter(({ startFrame, endFrame }) => endFrame > startFrame)
    .sort((one, other) => one.startFrame - other.startFrame)
    .map(turn => {
      const speaker = numbers.get(turn.speaker) ?? numbers.size;
      numbers.set(turn.speaker, speaker);
      return { ...turn, speaker };
    });
}
