/** The marks between the utterances of a recording, which the model judges with the audio around each pause. */
import type { DecodedWord } from './decodedWords.ts';

const SAMPLE_RATE = 16_000;
/** Pause above which an utterance ends as the model writes it alone. */
const MAX_PAUSE_FRAMES = 1.2 * SAMPLE_RATE;
/** Audio before and after a pause: less of it changes the words. */
const BEFORE_FRAMES = 4 * SAMPLE_RATE;
const AFTER_FRAMES = 2 * SAMPLE_RATE;

/** An utterance in frames of the stream. */
export interface JointUtterance {
  readonly startFrame: number;
  readonly endFrame: number;
  /** The audio of the utterance and some around it. */
  readonly samples: Int16Array;
  /** First frame of `samples`. */
  readonly from: number;
  readonly words: Promise<readonly DecodedWord[]>;
}

export interface JointsOptions {
  /** Returns audio of the stream that is not yet forgotten. */
  readonly audio: (from: number, to: number) => Int16Array;
  readonly decode: (samples: Int16Array) => Promise<readonly DecodedWord[]>;
}

/** The utterances of a recording in order: each one is complete when the next one is known. */
export class Joints {
  readonly #options: JointsOptions;
  #last: JointUtterance | undefined;
  #following = Promise.withResolvers<Following | undefined>();

  constructor(options: JointsOptions) {
    this.#options = options;
  }

  /** Resolves with the words of an utterance when the next one, or the end of the recording, is known. Rejects with them at once. */
  async add(utterance: JointUtterance): Promise<readonly DecodedWord[]> {
    this.#following.resolve(this.#last && this.#followingOf(this.#last, utterance));
    this.#following = Promise.withResolvers();
    this.#last = utterance;
    const [following, words] = await Promise.all([this.#following.promise, utterance.words]);
    if (!following || words.length === 0) return words;
    const around = await this.#options.decode(following.samples);
    return endedAsAround(words, await following.words, around);
  }

  /** Ends the recording: the last utterance has no next one. */
  end(): void {
    this.#following.resolve(undefined);
  }

  #followingOf(last: JointUtterance, next: JointUtterance): Following | undefined {
    if (next.startFrame - last.endFrame > MAX_PAUSE_FRAMES) return undefined;
    const from = Math.max(last.startFrame, last.endFrame - BEFORE_FRAMES);
    const before = last.samples.subarray(from - last.from);
    const to = Math.min(next.endFrame, next.startFrame + AFTER_FRAMES);
    const after = this.#options.audio(last.from + last.samples.length, to);
    const samples = new Int16Array(before.length + after.length);
    samples.set(before);
    samples.set(after, before.length);
    return { samples, words: next.words };
  }
}

/** The utterance after a short pause, and the audio around the pause. */
interface Following extends Pick<JointUtterance, 'samples' | 'words'> {}

/**
 * Returns the words of an utterance, with the last one written as in the audio around the pause: the model ends every single
 * utterance with a full stop. The word is unchanged if it is not found before another word there.
 */
export function endedAsAround(
  words: readonly DecodedWord[],
  next: readonly DecodedWord[],
  around: readonly DecodedWord[],
): readonly DecodedWord[] {
  const at = words.findLastIndex(({ written }) => written !== '');
  const spoken = words.slice(at).map(({ value }) => value);
  const places = around.flatMap((word, index) => {
    const isHere = spoken.every((value, offset) => around[index + offset]?.value === value);
    const after = around[index + spoken.length];
    return isHere && after ? [{ written: word.written, after: after.value }] : [];
  });
  const exact = places.find(({ after }) => after === next[0]?.value);
  const { written = '' } = exact ?? (places.length === 1 ? places[0] : undefined) ?? {};
  return words.map((word, index) => (index === at && written !== '' ? { ...word, written } : word));
}
