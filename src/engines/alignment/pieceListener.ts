import type { GrammarDecoder, HeardLabel } from '../soundswallower/grammarDecoder.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { pieceGrammar, WORD_PROBABILITY } from './pieceGrammar.ts';
import type { Piece, Segment } from './pieces.ts';
import type { HeardWord } from './tokens.ts';
import type { SayableWord, WordSounds } from './wordSounds.ts';

/** A word of the text with its frames in the recording. */
export interface TimedWord {
  readonly word: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Finds words of the text in the audio of a piece. Blocks. */
type PieceListener = (piece: Piece, samples: Int16Array) => readonly TimedWord[];

/** So far from where it was heard a word is believed to begin, however it sounds, or where it sounds as it should. */
const NEAR_FRAMES = 0.25 * VOICE_SAMPLE_RATE;
const FAR_FRAMES = 1.5 * VOICE_SAMPLE_RATE;

/** Begins labels of words of the text, and of those that were heard. */
const [TEXT, HEARD] = ['t', 'h'];

/** Hears words by their sound; those that match what was heard are found in any case. */
export function createPieceListener(
  decoder: GrammarDecoder,
  words: readonly SayableWord[],
  heard: readonly HeardWord[],
  soundsOf: WordSounds,
): PieceListener {
  /** Words are taught when they are first looked for. */
  const taught = new Set<string>();

  function labelOf(label: string, pronunciations: readonly string[]): string | undefined {
    if (pronunciations.length === 0) return undefined;
    if (!taught.has(label)) decoder.teach(label, pronunciations);
    taught.add(label);
    return label;
  }

  const labels = {
    text: (word: number) => labelOf(`${TEXT}${word}`, words[word]!.pronunciations),
    heard: (word: number) => labelOf(`${HEARD}${word}`, soundsOf(heard[word]!.value)),
  };

  function timesOf(segment: Segment, sounds: ReadonlyMap<number, HeardLabel>): readonly TimedWord[] {
    const likely = (word: number) => {
      const sound = sounds.get(word);
      const isLikely = sound && !isUnlike({ ...sound, phones: words[word]!.phones }, WORD_PROBABILITY);
      return isLikely ? [{ word, startFrame: sound.startFrame, endFrame: sound.endFrame }] : [];
    };
    if (segment.type === 'differing') return segment.text.flatMap(likely);
    const { word } = segment;
    const { startFrame } = heard[segment.heard.from]!;
    const { endFrame } = heard[segment.heard.to - 1]!;
    const isWithin = (frames: number, sound?: TimedWord | HeardLabel) =>
      sound && Math.abs(sound.startFrame - startFrame) <= frames;
    const near = sounds.get(word);
    if (near && isWithin(NEAR_FRAMES, near)) {
      return [{ word, startFrame: near.startFrame, endFrame: near.endFrame }];
    }
    const [far] = likely(word);
    return far && isWithin(FAR_FRAMES, far) ? [far] : [{ word, startFrame, endFrame }];
  }

  return ({ startFrame, segments }, samples) => {
    const sounds = new Map<number, HeardLabel>();
    for (const { label, ...sound } of decoder.search(pieceGrammar(segments, labels), samples)) {
      if (!label?.startsWith(TEXT!)) continue;
      const [from, to] = [startFrame + sound.startFrame, startFrame + sound.endFrame];
      sounds.set(Number(label.slice(TEXT!.length)), { ...sound, startFrame: from, endFrame: to });
    }
    return segments.flatMap(segment => timesOf(segment, sounds));
  };
}

/** A word that was found, by its sound. */
interface FoundWord {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Of a hundredth of a second, as the decoder tells it. */
  readonly misfit: number;
  /** The least number of its phones. */
  readonly phones: number;
}

const TICK_FRAMES = 160;
/** Nobody draws words out more. */
const MAX_TICKS = 60;
const MAX_TICKS_A_PHONE = 30;
/** More misfit than this is suspicious, and yet common in short words: it counts by their length. */
const USUAL_MISFIT = 3;
/** A word that is more unlike what is heard, by its length, was not said, though those around it were. */
const MOST_EXCESS = 40;

/**
 * Whether a word is too unlike what is heard, or too long, to have been said.
 *
 * @param probability of the word in the grammar: what it adds to the misfit is no fault of the sound
 */
export function isUnlike({ startFrame, endFrame, misfit, phones }: FoundWord, probability: number): boolean {
  const ticks = (endFrame - startFrame) / TICK_FRAMES;
  if (ticks > MAX_TICKS + MAX_TICKS_A_PHONE * phones) return true;
  return (misfit - USUAL_MISFIT) * ticks + Math.log(probability) > MOST_EXCESS;
}
