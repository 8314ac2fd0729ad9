import { diffIndices } from 'node-diff3';
import type { DeskTurn, DeskWord } from '../../../protocol/desk.ts';
import { type Clash, isClash, type Merged, mergeLists, uniteLists } from './mergeLists.ts';
import { numberedSpeaker } from './speakerNames.ts';

/** Turns in which two texts have changed the same words, with all other changes of both. Each may be empty, where turns were deleted. */
export type TurnConflict = Readonly<Record<TurnChoice, readonly DeskTurn[]>>;

/** The words of a conflict that a person keeps. */
export type TurnChoice = 'ours' | 'theirs' | 'both';

type Part = readonly DeskTurn[] | TurnConflict;

const isConflict = (part: Part): part is TurnConflict => !Array.isArray(part);

/** The start of a turn, or a word with the spaces before it. */
interface Token {
  readonly key: string;
  readonly text: string;
  /** Times, with places in the text of the token. */
  readonly words: readonly DeskWord[];
  /** Only of the start of a turn. */
  readonly speaker?: number;
}

/**
 * Merges two texts, word by word in turns that both have changed. The merged text has the changes, additions and deletions of
 * both since `base`; only words that both have changed are in conflict.
 */
export function mergeTurns(
  ours: readonly DeskTurn[],
  base: readonly DeskTurn[],
  theirs: readonly DeskTurn[],
): readonly Part[] {
  // Times are not compared: the aligner finds them again.
  const keyed = (turns: readonly DeskTurn[]) =>
    turns.map(turn => ({ turn, key: `${turn.speaker} ${turn.text}` }));
  const turnsIn = (list: Readonly<ReturnType<typeof keyed>>) => list.map(({ turn }) => turn);
  return mergeLists(keyed(ours), keyed(base), keyed(theirs)).map(part =>
    isClash(part) ? mergeWords(turnsIn(part.ours), turnsIn(part.base), turnsIn(part.theirs)) : turnsIn(part),
  );
}

/** Returns the conflicts of a merge, in order. */
export const conflictsOf = (parts: readonly Part[]): readonly TurnConflict[] => parts.filter(isConflict);

/** Returns the merged turns. @param choices one for each conflict, in order */
export function mergedTurns(parts: readonly Part[], choices: readonly TurnChoice[]): readonly DeskTurn[] {
  let next = 0;
  return parts.flatMap(part => (isConflict(part) ? part[choices[next++] ?? 'both'] : part));
}

/** Merges turns that both texts have changed. */
function mergeWords(ours: readonly DeskTurn[], base: readonly DeskTurn[], theirs: readonly DeskTurn[]): Part {
  const parts = mergeLists(tokensOf(ours), tokensOf(base), tokensOf(theirs));
  const speaker = (ours[0] ?? theirs[0])?.speaker ?? 0;
  const chosen = (choose: (clash: Clash<Token>) => readonly Token[]) =>
    turnsOf(
      parts.flatMap((part: Merged<Token>) => (isClash(part) ? choose(part) : part)),
      speaker,
    );
  if (!parts.some(isClash)) return chosen(({ ours: own }) => own);
  return {
    ours: chosen(clash => clash.ours),
    theirs: chosen(clash => clash.theirs),
    // Turns that both have added at the same place are different turns.
    both: base.length === 0 ? [...ours, ...theirs] : chosen(uniteTokens),
  };
}

/** Returns the tokens of both. Of two speakers of a turn, ours counts. */
const uniteTokens = ({ ours, theirs }: Clash<Token>) =>
  uniteLists(ours, theirs).filter(
    ({ speaker }, n, all) => speaker === undefined || all[n - 1]?.speaker === undefined,
  );

function tokensOf(turns: readonly DeskTurn[]): readonly Token[] {
  return turns.flatMap(({ speaker, text, words }): Token[] => [
    { key: `\n${speaker}`, text: '', words: [], speaker },
    ...[...text.matchAll(/\s*\S+|\s+$/gu)].map(({ 0: part, index }) => ({
      key: part.trim(),
      text: part,
      words: words.filter(([from, to]) => from >= index && to <= index + part.length).map(shift(-index)),
    })),
  ]);
}

const shift =
  (by: number) =>
  ([from, to, ...times]: DeskWord): DeskWord => [from + by, to + by, ...times];

/** Returns the turns of tokens. @param first the speaker of words before the first start of a turn */
function turnsOf(tokens: readonly Token[], first: number): readonly DeskTurn[] {
  const turns: DeskTurn[] = [];
  for (const { text: part, words, speaker } of tokens) {
    if (speaker !== undefined || turns.length === 0)
      turns.push({ speaker: speaker ?? first, text: '', words: [] });
    const turn = turns.at(-1)!;
    const text = part.trimStart();
    const spaces = part.slice(0, part.length - text.length);
    const lead = part === '' || /(?:^|\s)$/u.test(turn.text) ? '' : spaces || ' ';
    turn.words.push(...words.map(shift(turn.text.length + lead.length - spaces.length)));
    turn.text += lead + text;
  }
  return turns;
}

/** Merges the names of speakers of two texts. If both have changed a name, ours counts. */
export function mergeNames(
  ours: readonly string[],
  base: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const count = Math.max(ours.length, theirs.length);
  return Array.from({ length: count }, (_, n) => {
    const our = ours[n] ?? '';
    return our === (base[n] ?? '') ? (theirs[n] ?? '') : our;
  });
}

/** Returns the text of turns in parts; `isOwn` for words that the other turns lack. */
export function differingWords(
  turns: readonly DeskTurn[],
  others: readonly DeskTurn[],
): readonly { readonly text: string; readonly isOwn: boolean }[] {
  const [own = [], other = []] = [turns, others].map(list =>
    list
      .map(({ speaker, text }) => `${numberedSpeaker(speaker)}: ${text}`)
      .join('\n')
      .split(/(?<=\s)/u),
  );
  let from = 0;
  const parts = diffIndices(own, other).flatMap(({ buffer1: [start = 0, count = 0] }) => {
    const same = { text: own.slice(from, start).join(''), isOwn: false };
    from = start + count;
    return [same, { text: own.slice(start, from).join(''), isOwn: true }];
  });
  return [...parts, { text: own.slice(from).join(''), isOwn: false }].filter(({ text }) => text !== '');
}
