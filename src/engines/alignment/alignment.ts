import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDictionary } from '../pronunciation/dictionary.ts';
import { createGrammarDecoder } from '../soundswallower/grammarDecoder.ts';
import { matchWords } from './matchWords.ts';
import { createPieceListener, type TimedWord } from './pieceListener.ts';
import { piecesOf } from './pieces.ts';
import { type HeardWord, heardParts, heardTokens, textTokens } from './tokens.ts';
import { createWordSounds, sayableWords } from './wordSounds.ts';

/**
 * Finds the words of a text in a recording: by what a recogniser heard, and within that by how they sound. Returns
 * those that were found, by their number in the text, in order. Blocks.
 *
 * @param utterances words as they were heard, in order of time
 * @param read returns the audio from one frame up to another: mono, at the rate of the voice detector
 */
export type AlignText = (
  text: readonly string[],
  utterances: readonly (readonly HeardWord[])[],
  read: (startFrame: number, endFrame: number) => Int16Array,
) => readonly TimedWord[];

/** Beams that prune nothing: a search through so few words is quick, and a word that sounds unlikely may be right. */
const WHOLE_SEARCH = { beam: 0, pbeam: 0, wbeam: 0 };
/** The shortest time that a word is given. */
const LEAST_FRAMES = 480;

/** Loads what is needed to align one text. */
export async function createAlignment(): Promise<AlignText> {
  const model = fileURLToPath(new URL('./model/en-us/', import.meta.resolve('soundswallower')));
  // Its comments have one mark less than those of the format.
  const dictionary = parseDictionary(readFileSync(`${model}dict.txt`, 'utf8').replace(/^;.*/gm, ''));
  const soundsOf = createWordSounds(dictionary);
  const decoder = await createGrammarDecoder(model, WHOLE_SEARCH);
  return (text, utterances, read) => {
    const words = sayableWords(text, soundsOf);
    const parts = utterances.map(heardParts);
    const heard = parts.flat();
    const tokens = heardTokens(heard, soundsOf);
    const matches = matchWords(textTokens(words, text, tokens, soundsOf), tokens);
    const listen = createPieceListener(decoder, words, heard, soundsOf);
    const found = piecesOf(heard, stretchesOf(parts), matches, words.length).flatMap(piece =>
      listen(piece, read(piece.startFrame, piece.endFrame)),
    );
    return inOrder(found).map(({ word, ...times }) => ({ ...times, word: words[word]!.number }));
  };
}

function stretchesOf(parts: readonly (readonly HeardWord[])[]) {
  let to = 0;
  return parts.map(({ length }) => {
    const from = to;
    to += length;
    return { from, to };
  });
}

/**
 * Returns the words so that none begins before the one before it ends: times come from two sources. A word between two
 * pieces may be found in both, the first of which holds.
 */
function inOrder(words: readonly TimedWord[]): readonly TimedWord[] {
  const rising: TimedWord[] = [];
  for (const found of words) if (found.word > (rising.at(-1)?.word ?? -1)) rising.push(found);
  let ended = 0;
  return rising.map(({ word, ...times }, index) => {
    const startFrame = Math.max(times.startFrame, ended);
    const next = rising[index + 1]?.startFrame ?? times.endFrame;
    const endFrame = Math.max(startFrame + LEAST_FRAMES, Math.min(times.endFrame, next));
    ended = endFrame;
    return { word, startFrame, endFrame };
  });
}
