import type { SpeakerTurn } from '../../diarizer.ts';
import { SAMPLE_RATE } from '../tasks.ts';
import { createKnownVoices, type KnownVoices } from './knownVoices.ts';

/** Frames of a speaker's longest turns that identify the voice. */
const VOICE_FRAMES = 20 * SAMPLE_RATE;

/** The models, applied to a block of audio. */
export interface BlockModels {
  turnsIn(samples: Int16Array, speakersCount?: number): readonly SpeakerTurn[];
  directionIn(samples: Int16Array): Float32Array | undefined;
}

/**
 * A recording, diarized block by block, since the cost grows with the square of the audio. Speakers are
 * matched across blocks by their voices.
 */
export class DiarizedRecording {
  readonly #models: BlockModels;
  readonly #blockFrames: number;
  readonly #speakersCount: number | undefined;
  readonly #voices: KnownVoices;
  readonly #turns: SpeakerTurn[] = [];
  #block: Int16Array[] = [];
  #blockStart = 0;
  #now = 0;

  constructor(models: BlockModels, blockFrames: number, speakersCount?: number) {
    this.#models = models;
    this.#blockFrames = blockFrames;
    this.#speakersCount = speakersCount;
    this.#voices = createKnownVoices(speakersCount || undefined);
  }

  write(samples: Int16Array): void {
    // Deferred until more audio comes: the number of speakers helps only in a recording of one block.
    if (this.#now - this.#blockStart >= this.#blockFrames) {
      this.#endBlock(block => this.#withKnownVoices(this.#models.turnsIn(block), block));
    }
    this.#block.push(samples);
    this.#now += samples.length;
  }

  turns(): readonly SpeakerTurn[] {
    const isOnly = this.#blockStart === 0;
    this.#endBlock(block =>
      isOnly
        ? this.#models.turnsIn(block, this.#speakersCount)
        : this.#withKnownVoices(this.#models.turnsIn(block), block),
    );
    return numberedTurns(this.#turns);
  }

  #endBlock(turnsIn: (block: Int16Array) => readonly SpeakerTurn[]): void {
    const block = joined(this.#block);
    const start = this.#blockStart;
    this.#block = [];
    this.#blockStart = this.#now;
    if (block.length === 0) return;
    for (const { speaker, startFrame, endFrame } of turnsIn(block)) {
      this.#turns.push({ speaker, startFrame: start + startFrame, endFrame: start + endFrame });
    }
  }

  #withKnownVoices(turns: readonly SpeakerTurn[], block: Int16Array): readonly SpeakerTurn[] {
    const known = new Map<number, number | undefined>();
    for (const { speaker } of turns) {
      if (known.has(speaker)) continue;
      const said = longestTurns(turns.filter(turn => turn.speaker === speaker));
      const audio = joined(said.map(({ startFrame, endFrame }) => block.subarray(startFrame, endFrame)));
      const direction = this.#models.directionIn(audio);
      known.set(speaker, direction && this.#voices.recognise(direction, audio.length / SAMPLE_RATE));
    }
    // Speakers with too little speech to identify them are dropped.
    return turns.flatMap(turn => {
      const speaker = known.get(turn.speaker);
      return speaker === undefined ? [] : [{ ...turn, speaker }];
    });
  }
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
