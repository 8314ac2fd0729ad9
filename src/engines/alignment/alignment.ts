import { createGrammarDecoder } from '../soundswallower/grammarDecoder.ts';
import { readEnglishDictionary } from './englishModel.ts';
import { matchWords } from './matchWords.ts';
import { createPieceSearch, type TimedWord } from './pieceSearch.ts';
import { piecesOf } from './pieces.ts';
import { type RecognizedPart, recognizedParts, recognizedTokens, textTokens } from './tokens.ts';
import { createWordSounds, sayableWords } from './wordSounds.ts';

/**
 * Finds the words of a text in a recording by recognised words, then refines their times by pronunciation.
 * Returns the words that were found, by index in the text, in order. Blocks.
 *
 * @param utterances recognised words, in order of time
 * @param read returns the audio between two frames: mono, at the rate of the voice detector
 */
export type AlignText = (
  text: readonly string[],
  utterances: readonly (readonly RecognizedPart[])[],
  read: (startFrame: number, endFrame: number) => Int16Array,
) => readonly TimedWord[];

/** Beams that prune nothing: a search through few words is fast, and an unlikely word may be right. */
const WHOLE_SEARCH = { beam: 0, pbeam: 0, wbeam: 0 };
/** Frames of the shortest word. */
const LEAST_FRAMES = 480;

/** Loads the models and returns the function that aligns one text. */
export async function createAlignment(): Promise<AlignText> {
  const soundsOf = createWordSounds(readEnglishDictionary());
  const decoder = await createGrammarDecoder(WHOLE_SEARCH);
  return (text, utterances, read) => {
    const words = sayableWords(text, soundsOf);
    const parts = utterances.map(recognizedParts);
    const heard = parts.flat();
    const tokens = recognizedTokens(heard, soundsOf);
    const matches = matchWords(textTokens(words, text, tokens, soundsOf), tokens);
    const find = createPieceSearch(decoder, words, heard, soundsOf);
    const found = piecesOf(heard, stretchesOf(parts), matches, words.length).flatMap(piece =>
      find(piece, read(piece.startFrame, piece.endFrame)),
    );
    return inOrder(found).map(({ word, ...times }) => ({ ...times, word: words[word]!.number }));
  };
}

function stretchesOf(parts: readonly (readonly RecognizedPart[])[]) {
  let to = 0;
  return parts.map(({ length }) => {
    const from = to;
    to += length;
    return { from, to };
  });
}

/**
 * Returns the words without overlaps, since times come from two sources. For a word found in two adjacent
 * pieces, the first one counts.
 */
function inOrder(words: readonly TimedWord[]): readonly TimedWord[] {
  const rising: TimedWord[] = [];
  for (const found of words) {
    if (found.word > (rising.at(-1)?.word ?? -1)) rising.push(found);
  }
  let ended = 0;
  return rising.map(({ word, ...times }, index) => {
    const startFrame = Math.max(times.startFrame, ended);
    const next = rising[index + 1]?.startFrame ?? times.endFrame;
    const endFrame = Math.max(startFrame + LEAST_FRAMES, Math.min(times.endFrame, next));
    ended = endFrame;
    return { word, startFrame, endFrame };
  });
}
