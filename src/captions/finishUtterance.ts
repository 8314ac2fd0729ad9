import { SPEAKER_MARK } from '../transcript/cues/cue.ts';
import { alignWords, type WordPair } from './alignWords.ts';
import { type CaptionWord, CORRECTION_MARK, type Heard, keyOf, type Shown } from './captionWord.ts';
import { correctionsOf } from './corrections.ts';

export interface FinishedUtterance {
  /** What is shown from now on: words beyond those that are, and corrections of those. */
  readonly added: readonly CaptionWord[];
  /** How all its words read in the transcript, by id; empty for a word that is not in it. */
  readonly wording: ReadonlyMap<number, string>;
}

interface FinishOptions {
  readonly nextId: number;
  /** Another speaker begins. */
  readonly opensTurn: boolean;
  /** Words that were heard after those that are shown. */
  readonly pending: readonly Heard[];
}

/**
 * Ends an utterance by its final. A correction of the last words that are shown stands before what is new, as speech
 * goes on from it; other corrections stand after.
 */
export function finishUtterance(
  shown: readonly Shown[],
  heard: readonly Heard[],
  { nextId, opensTurn, pending }: FinishOptions,
): FinishedUtterance {
  const alignment = alignWords(shown.map(keyOf), heard.map(keyOf), { pending: pending.map(keyOf) });
  const finals = heard.map(({ text }, index) => (opensTurn && index === 0 ? SPEAKER_MARK + text : text));
  const wording = wordingOf(alignment.pairs, shown, finals);
  const added: CaptionWord[] = [];
  const add = (word: Omit<CaptionWord, 'id'>, final: string) => {
    const id = nextId + added.length;
    added.push({ id, ...word });
    wording.set(id, final);
  };
  const corrections = correctionsOf(alignment, shown, heard);
  const correct = (last: boolean) => {
    for (const { shown: index, words } of corrections.filter(correction => correction.last === last)) {
      const [first, ...rest] = words;
      for (const text of [CORRECTION_MARK + first, ...rest]) {
        add({ text, corrects: shown[index]!.id, ...(!last && { aside: true }) }, '');
      }
    }
  };
  correct(true);
  for (let index = alignment.heardWords; index < heard.length; index++) {
    const opens = opensTurn && index === 0;
    add({ text: heard[index]!.text, ...(opens && { opensTurn }) }, finals[index]!);
  }
  correct(false);
  return { added, wording };
}

/** Words that were missed stand with the shown word before them, or at the very beginning with the one after. */
function wordingOf(
  pairs: readonly WordPair[],
  shown: readonly Shown[],
  finals: readonly string[],
): Map<number, string> {
  const wording = new Map(shown.map(({ id }) => [id, '']));
  let at = shown[0];
  for (const pair of pairs) {
    if (pair.shown !== undefined) at = shown[pair.shown];
    if (!at || pair.heard === undefined) continue;
    const before = wording.get(at.id)!;
    const text = finals[pair.heard]!;
    wording.set(at.id, before === '' ? text : `${before} ${text}`);
  }
  return wording;
}
