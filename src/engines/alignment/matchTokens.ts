import { longestRise } from '../../transcript/text/longestRise.ts';
import type { Token } from './tokens.ts';

/** A pair of indexes: a token of the text and the recognised token that matches it. */
export interface TokenMatch {
  readonly text: number;
  readonly heard: number;
}

/** Number of equal tokens in a row that anchor speech in the text. */
const SEED_TOKENS = 3;
/** Limit of places in the text that are tried for one anchor. */
const MAX_PLACES = 64;
/** Limit of tokens between two anchors that are compared: those next to either. */
const MAX_COMPARED = 400;
/** Similarity below which two words differ. */
const LEAST_LIKENESS = 0.75;

/** Returns pairs of matching tokens, in the order of both: first equal runs, then the tokens between them. */
export function matchTokens(text: readonly Token[], heard: readonly Token[]): readonly TokenMatch[] {
  const matches: TokenMatch[] = [];
  let [fromText, fromHeard] = [0, 0];
  for (const { text: atText, heard: atHeard } of [
    ...seedMatches(text, heard),
    { text: text.length, heard: heard.length },
  ]) {
    matches.push(...matchesBetween(text, heard, { fromText, toText: atText, fromHeard, toHeard: atHeard }));
    if (atText < text.length) matches.push({ text: atText, heard: atHeard });
    [fromText, fromHeard] = [atText + 1, atHeard + 1];
  }
  return matches;
}

function seedMatches(text: readonly Token[], heard: readonly Token[]): readonly TokenMatch[] {
  const places = new Map<string, number[]>();
  const keyAt = (tokens: readonly Token[], at: number) =>
    tokens
      .slice(at, at + SEED_TOKENS)
      .map(({ sound }) => sound)
      .join('|');
  for (let at = 0; at + SEED_TOKENS <= text.length; at++) {
    const key = keyAt(text, at);
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  const seeds: TokenMatch[] = [];
  for (let at = 0; at + SEED_TOKENS <= heard.length; at++) {
    const found = nearest(places.get(keyAt(heard, at)) ?? [], (at * text.length) / heard.length);
    // In reverse: at most one place of each token can be part of a rise.
    for (const place of found.toReversed()) seeds.push({ text: place, heard: at });
  }
  const matches: TokenMatch[] = [];
  for (const index of longestRise(seeds.map(seed => seed.text))) {
    for (let offset = 0; offset < SEED_TOKENS; offset++) {
      const match = { text: seeds[index]!.text + offset, heard: seeds[index]!.heard + offset };
      const last = matches.at(-1);
      if (!last || (match.text > last.text && match.heard > last.heard)) matches.push(match);
    }
  }
  return matches;
}

/** Returns at most {@link MAX_PLACES} of some ascending places, the nearest to one place. */
function nearest(places: readonly number[], to: number): readonly number[] {
  if (places.length <= MAX_PLACES) return places;
  const after = places.findIndex(place => place >= to);
  const middle = after < 0 ? places.length : after;
  const from = Math.min(Math.max(0, middle - MAX_PLACES / 2), places.length - MAX_PLACES);
  return places.slice(from, from + MAX_PLACES);
}

interface Between {
  readonly fromText: number;
  readonly toText: number;
  readonly fromHeard: number;
  readonly toHeard: number;
}

function matchesBetween(
  text: readonly Token[],
  heard: readonly Token[],
  { fromText, toText, fromHeard, toHeard }: Between,
): readonly TokenMatch[] {
  const texts = ends(fromText, toText);
  const heards = ends(fromHeard, toHeard);
  const width = heards.length + 1;
  const best = new Float32Array((texts.length + 1) * width);
  const alike = new Float32Array(best.length);
  for (let row = texts.length - 1; row >= 0; row--) {
    for (let column = heards.length - 1; column >= 0; column--) {
      const at = row * width + column;
      const likeness = likenessOf(text[texts[row]!]!, heard[heards[column]!]!);
      alike[at] = likeness >= LEAST_LIKENESS ? likeness : 0;
      best[at] = Math.max(best[at + width]!, best[at + 1]!, best[at + width + 1]! + alike[at]!);
    }
  }
  const matches: TokenMatch[] = [];
  for (let row = 0, column = 0; row < texts.length && column < heards.length; ) {
    const at = row * width + column;
    if (alike[at]! > 0 && best[at] === Math.fround(best[at + width + 1]! + alike[at]!)) {
      matches.push({ text: texts[row]!, heard: heards[column]! });
      row++;
      column++;
    } else if (best[at] === best[at + width]) row++;
    else column++;
  }
  return matches;
}

/** Returns the indexes of a range, without the middle of a long one. */
function ends(from: number, to: number): readonly number[] {
  const all = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const half = MAX_COMPARED / 2;
  return all.length <= MAX_COMPARED ? all : [...all.slice(0, half), ...all.slice(-half)];
}

/** Returns the similarity of two words by letters or phones, from 0 to 1 for words that sound the same. */
export function likenessOf(one: Token, other: Token): number {
  if (one.sound === other.sound || one.value === other.value) return 1;
  const sounds = one.sound.split(' ');
  const others = other.sound.split(' ');
  return Math.max(likeness([...one.value], [...other.value]), likeness(sounds, others));
}

/**
 * Optimal string alignment; a transposition is a likely typing error and costs half as much as another edit.
 */
function likeness(one: readonly string[], other: readonly string[]): number {
  const longer = Math.max(one.length, other.length);
  let [before, last]: [number[], number[]] = [[], other.map((_, index) => index)];
  last.push(other.length);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      let least = Math.min(last[at]! + 1, next[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwapped) least = Math.min(least, before[at - 2]! + 0.5);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return 1 - last[other.length]! / longer;
}
