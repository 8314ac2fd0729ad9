import type { SpeakerTurn } from '../../../src/engines/diarizer.ts';

/** Frames of 16 kHz audio by what is said of them wrongly, and those that are spoken in truth. */
export interface DiarizationErrors {
  readonly spoken: number;
  readonly missed: number;
  readonly falseAlarm: number;
  readonly confused: number;
}

/** Frames that are judged at once: 10 ms. */
const STEP = 160;

/**
 * Counts the errors of a diarization, with the speakers matched in the best way, as NIST's md-eval counts it (Rich
 * Transcription evaluation plan, 2009). No two speakers speak at once.
 *
 * @param collar frames around each start and end of a true turn that are not judged
 */
export function diarizationErrors(
  truth: readonly SpeakerTurn[],
  found: readonly SpeakerTurn[],
  collar = 0,
): DiarizationErrors {
  const steps = Math.ceil(Math.max(0, ...[...truth, ...found].map(turn => turn.endFrame)) / STEP);
  const [true_, said, ignored] = [
    speakerSteps(truth, steps),
    speakerSteps(found, steps),
    new Uint8Array(steps),
  ];
  if (collar > 0) {
    for (const edge of truth.flatMap(({ startFrame, endFrame }) => [startFrame, endFrame])) {
      ignored.fill(1, Math.max(0, Math.round((edge - collar) / STEP)), Math.round((edge + collar) / STEP));
    }
  }
  let [spoken, missed, falseAlarm, both] = [0, 0, 0, 0];
  const together = new Map<string, number>();
  for (let step = 0; step < steps; step++) {
    if (ignored[step]) continue;
    const [speaker, guess] = [true_[step]!, said[step]!];
    if (speaker >= 0) spoken++;
    if (speaker >= 0 && guess < 0) missed++;
    else if (speaker < 0 && guess >= 0) falseAlarm++;
    else if (speaker >= 0) {
      both++;
      const key = `${speaker} ${guess}`;
      together.set(key, (together.get(key) ?? 0) + 1);
    }
  }
  const right = bestMatch(count(truth), count(found), (one, other) => together.get(`${one} ${other}`) ?? 0);
  const frames = (value: number) => value * STEP;
  return {
    spoken: frames(spoken),
    missed: frames(missed),
    falseAlarm: frames(falseAlarm),
    confused: frames(both - right),
  };
}

const count = (turns: readonly SpeakerTurn[]) => Math.max(-1, ...turns.map(({ speaker }) => speaker)) + 1;

function speakerSteps(turns: readonly SpeakerTurn[], steps: number): Int16Array {
  const speakers = new Int16Array(steps).fill(-1);
  for (const { speaker, startFrame, endFrame } of turns) {
    speakers.fill(speaker, Math.round(startFrame / STEP), Math.round(endFrame / STEP));
  }
  return speakers;
}

/** The most that pairs are worth, with each of either side in one pair at most; of the first side there are few. */
export function bestMatch(
  ones: number,
  others: number,
  worth: (one: number, other: number) => number,
): number {
  /** By which of the first side are taken. */
  let best = new Float64Array(1 << ones);
  for (let other = 0; other < others; other++) {
    const next = best.slice();
    for (let taken = 0; taken < 1 << ones; taken++) {
      for (let one = 0; one < ones; one++) {
        if (taken & (1 << one)) continue;
        const with_ = taken | (1 << one);
        next[with_] = Math.max(next[with_]!, best[taken]! + worth(one, other));
      }
    }
    best = next;
  }
  return Math.max(...best);
}
