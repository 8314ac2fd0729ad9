import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { GrammarDecoder, HeardLabel } from './grammarDecoder.ts';
import { isUnlike } from './misfit.ts';
import { pieceGrammar, WORD_PROBABILITY } from './pieceGrammar.ts';
import type { Piece, Segment } from './pieces.ts';
import type { SayableWord } from './sayableWords.ts';
import type { HeardWord } from './tokens.ts';
import type { WordSounds } from './wordSounds.ts';

/** A word of the text with its frames in the recording. */
export interface TimedWord {
  readonly word: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Finds words of the text in the audio of a piece. Blocks. */
export type PieceListener = (piece: Piece, samples: Int16Array) => readonly TimedWord[];

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
