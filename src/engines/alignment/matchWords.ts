import { matchTokens, type TokenMatch } from './matchTokens.ts';
import type { Token } from './tokens.ts';

/** A word of the text and the range of recognised tokens that matches it, `to` exclusive. */
export interface WordMatch {
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

/** Number of matched phones that an unmatched token, in either sequence, cancels out. */
const SKIPPED_PHONES = 3;
/** Number of phones in a nearly unbroken run of matches that make it likely that the text is spoken there. */
const LEAST_PHONES = 6;

/**
 * Returns the words of a text whose tokens were all recognised one after the other. `word` is `Token.word` of
 * the text; `from` and `to` are indexes of recognised tokens.
 */
export function matchWords(text: readonly Token[], heard: readonly Token[]): readonly WordMatch[] {
  const heardOf = new Map(
    likelyMatches(matchTokens(text, heard), text).map(match => [match.text, match.heard]),
  );
  const words: WordMatch[] = [];
  for (let at = 0; at < text.length; ) {
    const { word } = text[at]!;
    let next = at + 1;
    while (text[next]?.word === word) next++;
    const from = heardOf.get(at);
    let isWhole = from !== undefined;
    for (let part = at; part < next; part++) isWhole &&= heardOf.get(part) === from! + part - at;
    if (isWhole) words.push({ word, from: from!, to: from! + next - at });
    at = next;
  }
  return words;
}

/** Drops short runs of matches: any speech shares common words with any text. */
function likelyMatches(matches: readonly TokenMatch[], text: readonly Token[]): readonly TokenMatch[] {
  const likely: TokenMatch[] = [];
  let run: TokenMatch[] = [];
  let [phones, most] = [0, 0];
  const least = Math.min(
    LEAST_PHONES,
    text.map(phonesOf).reduce((sum, count) => sum + count, 0),
  );
  const endRun = () => {
    if (most >= least) likely.push(...run);
    run = [];
    [phones, most] = [0, 0];
  };
  for (const match of matches) {
    const last = run.at(-1);
    if (last) phones -= SKIPPED_PHONES * (match.text - last.text + match.heard - last.heard - 2);
    if (phones < 0) endRun();
    run.push(match);
    phones += phonesOf(text[match.text]!);
    most = Math.max(most, phones);
  }
  endRun();
  return likely;
}

function phonesOf({ sound }: Token): number {
  return sound.split(' ').length;
}
