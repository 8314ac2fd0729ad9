import { parseObject } from '../../stored.ts';
import { type ActionId, DESK_ACTIONS } from './actions.ts';
import { typesText } from './chord.ts';

/** The chords of actions where a person has chosen others than the default ones. */
export type KeyChoices = Readonly<Partial<Record<ActionId, readonly string[]>>>;

export function keysOf(id: ActionId, choices: KeyChoices): readonly string[] {
  return choices[id] ?? DESK_ACTIONS.find(action => action.id === id)?.keys ?? [];
}

/** Returns the action of each chord; of two actions with the same chord, the first of the table has it. */
export function actionsByChord(choices: KeyChoices): ReadonlyMap<string, ActionId> {
  return new Map(boundChords(choices).reverse());
}

/** Returns the chords that more than one action has, with these actions. */
export function findConflicts(choices: KeyChoices): ReadonlyMap<string, readonly ActionId[]> {
  const byChord = new Map<string, ActionId[]>();
  for (const [chord, id] of boundChords(choices)) byChord.set(chord, [...(byChord.get(chord) ?? []), id]);
  return new Map([...byChord].filter(([, ids]) => ids.length > 1));
}

function boundChords(choices: KeyChoices): (readonly [chord: string, id: ActionId])[] {
  return DESK_ACTIONS.flatMap(({ id }) => keysOf(id, choices).map(chord => [chord, id] as const));
}

/** Returns why a chord cannot be chosen; undefined for one that can. */
export function refusalOf(chord: string): string | undefined {
  if (typesText(chord)) return 'This key types text. Hold Ctrl or Alt with it.';
  if (RESERVED.has(chord)) return 'Browsers keep this key for themselves.';
  return undefined;
}

/** Chords that no page receives, or that move a cursor in every text. */
const RESERVED = new Set(
  [
    'Ctrl+N Ctrl+T Ctrl+W Ctrl+Shift+N Ctrl+Shift+T Ctrl+Shift+W Ctrl+Tab Alt+F4 F5 F11 F12',
    'Ctrl+A Ctrl+C Ctrl+V Ctrl+X ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown',
    'Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown',
  ].flatMap(chords => chords.split(' ')),
);

/** Returns the choices with other chords for an action; default chords are not stored. */
export function chooseKeys(choices: KeyChoices, id: ActionId, chords: readonly string[]): KeyChoices {
  const { [id]: _, ...others } = choices;
  const defaults = keysOf(id, {});
  const areDefault = chords.length === defaults.length && chords.every((chord, n) => chord === defaults[n]);
  return areDefault ? others : { ...others, [id]: [...new Set(chords)] };
}

/** Reads stored choices. Unreadable ones are left out. */
export function readKeyChoices(text: string): KeyChoices {
  const stored = parseObject(text);
  const isChord = (chord: unknown) => typeof chord === 'string' && chord.length <= 40 && !refusalOf(chord);
  const choices: Partial<Record<ActionId, readonly string[]>> = {};
  for (const { id } of DESK_ACTIONS) {
    const chords: unknown = stored[id];
    if (Array.isArray(chords)) choices[id] = chords.filter(isChord).slice(0, 8);
  }
  return choices;
}
