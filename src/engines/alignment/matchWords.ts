import { matchTokens, type TokenMatch } from './matchTokens.ts';
import type { Token } from './tokens.ts';

/** A word of the text that was heard, by the indexes of it and of what was heard from one up to another. */
export interface WordMatch {
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

/** Phones that one token that was not matched, in the text or heard, takes back. */
const SKIPPED_PHONES = 3;
/** Phones that matched in a row, and few others between, make it likely that the text is said there. */
const LEAST_PHONES = 6;

/** Returns the words of a text that were heard, all of their tokens one after the other. Each heard token is a word. */
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

/** Words that speech has in common with any text are no sign of it. */
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
