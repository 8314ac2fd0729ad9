import { withCapital } from '../../transcript/text/words.ts';
import { beginsWord, encodeText } from './tokens.ts';

/** A trie node: the next tokens with their nodes, undefined at the end of all phrases. */
type TrieNode = Map<number, TrieNode | undefined>;

/** Returns bonuses of the logits of tokens that continue a phrase, given the tokens so far. */
export type Favour = (tokens: readonly number[]) => ReadonlyMap<number, number>;

/** Bonuses of phrase tokens, on the scale of logits. */
export interface PhraseBonus {
  /** Limit for the first token of a phrase. */
  readonly first: number;
  /**
   * Total for the first tokens of all phrases: with thousands of phrases, none is favoured over other words.
   */
  readonly shared: number;
  /** For each token that continues a phrase, times 1 + ln of its place in the phrase. */
  readonly next: number;
}

/**
 * A bonus that grows within a phrase is upstream's choice, measured on 2,620 utterances with 100 terms. With lists of 100
 * and 1,000 unspoken words, 645 words had 31 and 32 errors, as many as without phrases (31).
 */
export const PHRASE_BONUS: PhraseBonus = { first: 2, shared: 100, next: 3 };
/** Token limit of a phrase. */
const MAX_TOKENS = 64;

/**
 * Builds a trie over the tokens of phrases. The model's writing varies, so each phrase is added as given,
 * with a capital, in lower case, and without hyphens.
 */
export function createFavour(phrases: readonly string[], bonus: PhraseBonus = PHRASE_BONUS): Favour {
  const root: TrieNode = new Map();
  const encode = wordEncoder();
  for (const phrase of phrases)
    for (const form of formsOf(phrase)) add(root, form.split(' ').flatMap(encode));
  const first = Math.min(bonus.first, bonus.shared / root.size);
  const opening: ReadonlyMap<number, number> = new Map([...root.keys()].map(token => [token, first]));
  return tokens => {
    const prefixes = prefixesAt(root, tokens);
    if (prefixes.length === 0) return opening;
    const favoured = new Map(opening);
    for (const { node, length } of prefixes) {
      const next = bonus.next * (1 + Math.log(length + 1));
      for (const token of node.keys()) favoured.set(token, Math.max(favoured.get(token) ?? 0, next));
    }
    return favoured;
  };
}

/** Returns a cached encoder of words. No token spans a space, and large vocabularies repeat most words. */
function wordEncoder(): (word: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return word => {
    const tokens = known.get(word) ?? encodeText(word);
    known.set(word, tokens);
    return tokens;
  };
}

function formsOf(phrase: string): ReadonlySet<string> {
  const text = phrase.trim().replace(/\s+/g, ' ');
  const apart = text.replace(/(?<=\p{L})-(?=\p{L})/gu, ' ');
  return new Set([text, apart].flatMap(form => [form, withCapital(form), form.toLowerCase()]));
}

function add(root: TrieNode, tokens: readonly number[]): void {
  const way = tokens.slice(0, MAX_TOKENS);
  const last = way.pop();
  if (last === undefined) return;
  let node = root;
  for (const token of way) {
    const next: TrieNode = node.get(token) ?? new Map();
    node.set(token, next);
    node = next;
  }
  if (!node.has(last)) node.set(last, undefined);
}

/** A node with the number of tokens up to it. */
interface Prefix {
  readonly node: TrieNode;
  readonly length: number;
}

/** Returns the beginnings of phrases at the end of the tokens. */
function prefixesAt(root: TrieNode, tokens: readonly number[]): readonly Prefix[] {
  let prefixes: readonly Prefix[] = [];
  for (const token of tokens.slice(-MAX_TOKENS)) {
    const open = beginsWord(token) ? [...prefixes, { node: root, length: 0 }] : prefixes;
    prefixes = open.flatMap(({ node, length }) => {
      const next = node.get(token);
      return next ? [{ node: next, length: length + 1 }] : [];
    });
  }
  return prefixes;
}
