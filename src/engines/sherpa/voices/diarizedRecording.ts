/** A recording that is diarized block by block. */
import { renumbered } from '../../diarization/clusters.ts';
import type { RecordingMethods } from '../../diarization/processDiarizer.ts';
import type { SpeakerTurn } from '../../diarizer.ts';
import { SAMPLE_RATE } from '../tasks.ts';
import { createKnownVoices } from './knownVoices.ts';

/** Frames of a speaker's longest turns that identify the voice. */
const VOICE_FRAMES = 20 * SAMPLE_RATE;

/** The models, applied to a block of audio. */
export interface BlockModels {
  turnsIn(samples: Int16Array, speakersCount?: number): readonly SpeakerTurn[];
  directionIn(samples: Int16Array): Float32Array | undefined;
}

/**
 * Diarizes a recording block by block, since the cost grows with the square of the audio. Speakers are
 * matched across blocks by their voices.
 */
export function createDiarizedRecording(models: BlockModels, blockFrames: number): RecordingMethods {
  let expected: number | undefined;
  let voices = createKnownVoices();
  const turns: SpeakerTurn[] = [];
  let block: Int16Array[] = [];
  let blockStart = 0;
  let now = 0;

  function endBlock(turnsIn: (samples: Int16Array) => readonly SpeakerTurn[]): void {
    const samples = joined(block);
    const start = blockStart;
    block = [];
    blockStart = now;
    if (samples.length === 0) return;
    for (const { speaker, startFrame, endFrame } of turnsIn(samples)) {
      turns.push({ speaker, startFrame: start + startFrame, endFrame: start + endFrame });
    }
  }

  /** Returns the turns in a block, by speakers that are known from other blocks. */
  function knownTurns(samples: Int16Array): readonly SpeakerTurn[] {
    const found = models.turnsIn(samples);
    const known = new Map<number, number | undefined>();
    for (const { speaker } of found) {
      if (known.has(speaker)) continue;
      const said = longestTurns(found.filter(turn => turn.speaker === speaker));
      const audio = joined(said.map(({ startFrame, endFrame }) => samples.subarray(startFrame, endFrame)));
      const direction = models.directionIn(audio);
      known.set(speaker, direction && voices.recognise(direction, audio.length / SAMPLE_RATE));
    }
    // Speakers with too little speech to identify them are dropped.
    return found.flatMap(turn => {
      const speaker = known.get(turn.speaker);
      return speaker === undefined ? [] : [{ ...turn, speaker }];
    });
  }

  return {
    start(speakersCount) {
      expected = speakersCount;
      voices = createKnownVoices(speakersCount || undefined);
    },
    write(samples) {
      // Deferred until more audio comes: the number of speakers helps only in a recording of one block.
      if (now - blockStart >= blockFrames) endBlock(knownTurns);
      block.push(samples);
      now += samples.length;
    },
    turns() {
      const isOnly = blockStart === 0;
      endBlock(isOnly ? samples => models.turnsIn(samples, expected) : knownTurns);
      return numberedTurns(turns);
    },
  };
}

function longestTurns(turns: readonly SpeakerTurn[]): readonly SpeakerTurn[] {
  let frames = 0;
  return turns
    .toSorted((one, other) => other.endFrame - other.startFrame - (one.endFrame - one.startFrame))
    .filter(({ startFrame, endFrame }) => {
      const isWanted = frames < VOICE_FRAMES;
      frames += endFrame - startFrame;
      return isWanted;
    });
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns the turns in the order of their starts, with speakers numbered from 0 in the order of their first words. */
function numberedTurns(turns: readonly SpeakerTurn[]): readonly SpeakerTurn[] {
  const inOrder = turns
    .filter(({ startFrame, endFrame }) => endFrame > startFrame)
    .sort((one, other) => one.startFrame - other.startFrame);
  const numbers = renumbered(inOrder.map(({ speaker }) => speaker));
  return inOrder.map((turn, index) => ({ ...turn, speaker: numbers[index] ?? 0 }));
}
