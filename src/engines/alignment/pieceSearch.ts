import { type FoundLabel, type GrammarDecoder, TICK_FRAMES } from '../soundswallower/grammarDecoder.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { pieceGrammar, WORD_PROBABILITY } from './pieceGrammar.ts';
import type { Piece, Segment } from './pieces.ts';
import type { RecognizedPart } from './tokens.ts';
import type { SayableWord, WordSounds } from './wordSounds.ts';

/** A word of the text with its frames in the recording. */
export interface TimedWord {
  readonly word: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Finds words of the text in the audio of a piece. Blocks. */
type PieceSearch = (piece: Piece, samples: Int16Array) => readonly TimedWord[];

/**
 * Distances from the recognised start within which the start by sound is accepted: for any word, and for a
 * word that sounds as expected.
 */
const NEAR_FRAMES = 0.25 * VOICE_SAMPLE_RATE;
const FAR_FRAMES = 1.5 * VOICE_SAMPLE_RATE;

/** Prefixes of the labels of words of the text and of recognised words. */
const TEXT = 't';
const HEARD = 'h';

/**
 * Returns a function that times words by their sound. Words that match recognised words are found in any
 * case.
 */
export function createPieceSearch(
  decoder: GrammarDecoder,
  words: readonly SayableWord[],
  heard: readonly RecognizedPart[],
  soundsOf: WordSounds,
): PieceSearch {
  /** Labels that the decoder knows already. */
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

  function timesOf(segment: Segment, sounds: ReadonlyMap<number, FoundLabel>): readonly TimedWord[] {
    const likely = (word: number) => {
      const sound = sounds.get(word);
      const isLikely = sound && !isUnlike({ ...sound, phones: words[word]!.phones }, WORD_PROBABILITY);
      return isLikely ? [{ word, startFrame: sound.startFrame, endFrame: sound.endFrame }] : [];
    };
    if (segment.type === 'differing') return segment.text.flatMap(likely);
    const { word } = segment;
    const { startFrame } = heard[segment.heard.from]!;
    const { endFrame } = heard[segment.heard.to - 1]!;
    const isWithin = (frames: number, sound?: TimedWord | FoundLabel) =>
      sound && Math.abs(sound.startFrame - startFrame) <= frames;
    const near = sounds.get(word);
    if (near && isWithin(NEAR_FRAMES, near)) {
      return [{ word, startFrame: near.startFrame, endFrame: near.endFrame }];
    }
    const [far] = likely(word);
    return far && isWithin(FAR_FRAMES, far) ? [far] : [{ word, startFrame, endFrame }];
  }

  return ({ startFrame, segments }, samples) => {
    const sounds = new Map<number, FoundLabel>();
    for (const { label, ...sound } of decoder.search(pieceGrammar(segments, labels), samples)) {
      if (!label?.startsWith(TEXT)) continue;
      const from = startFrame + sound.startFrame;
      const to = startFrame + sound.endFrame;
      sounds.set(Number(label.slice(TEXT.length)), { ...sound, startFrame: from, endFrame: to });
    }
    return segments.flatMap(segment => timesOf(segment, sounds));
  };
}

/** A word found by its sound. */
interface FoundWord {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Misfit of a hundredth of a second, from the decoder. */
  readonly misfit: number;
  /** Number of phones of the shortest pronunciation. */
  readonly phones: number;
}

/** Limit of a word's duration: nobody draws words out longer. */
const MAX_TICKS = 60;
const MAX_TICKS_A_PHONE = 30;
/**
 * Misfit up to which a word is plausible. Above it the duration counts too, since short words often have
 * more.
 */
const USUAL_MISFIT = 3;
/** Excess misfit above which the word was not said, though its neighbours were. */
const MOST_EXCESS = 40;

/**
 * Returns whether a word sounds too different, or lasts too long, to have been said.
 *
 * @param probability of the word in the grammar, whose part in the misfit is deducted
 */
export function isUnlike({ startFrame, endFrame, misfit, phones }: FoundWord, probability: number): boolean {
  const ticks = (endFrame - startFrame) / TICK_FRAMES;
  if (ticks > MAX_TICKS + MAX_TICKS_A_PHONE * phones) return true;
  return (misfit - USUAL_MISFIT) * ticks + Math.log(probability) > MOST_EXCESS;
}
