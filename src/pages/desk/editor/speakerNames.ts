import { invertedEffects } from '@codemirror/commands';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { turnData } from './turnState.ts';

/** Sets the names of all speakers. */
export const setNames = StateEffect.define<readonly string[]>();

/** Names of speakers by their numbers; empty for a speaker without one. */
export const namesField = StateField.define<readonly string[]>({
  create: () => [],
  update: (names, { effects }) => effects.findLast(effect => effect.is(setNames))?.value ?? names,
});

/** Keeps the names of speakers; undoing brings them back. */
export function speakerNames(initial: readonly string[]): Extension {
  const inverted = invertedEffects.of(({ startState, effects }) =>
    effects.some(effect => effect.is(setNames)) ? [setNames.of(startState.field(namesField))] : [],
  );
  return [namesField.init(() => initial), inverted];
}

/** Returns the words for a speaker without a name. People count from 1. */
export const numberedSpeaker = (speaker: number) => `Speaker ${speaker + 1}`;

/** Returns the name of a speaker, else the number in words. */
export function speakerName(state: EditorState, speaker: number): string {
  return state.field(namesField)[speaker] || numberedSpeaker(speaker);
}

/** Returns the hue of a speaker in degrees: those of neighbours are far apart. */
export const hueOf = (speaker: number) => Math.round(250 + 137.5 * speaker) % 360;

/** A speaker of the text, with the number of turns. */
export interface Speaker {
  readonly speaker: number;
  readonly name: string;
  readonly turns: number;
}

/** Returns the speakers with turns or a name, by their numbers. */
export function speakersOf(state: EditorState): Speaker[] {
  const counts = new Map<number, number>();
  for (const [speaker, name] of state.field(namesField).entries()) {
    if (name !== '') counts.set(speaker, 0);
  }
  const cursor = state.field(turnData).speakers.iter();
  for (; cursor.value; cursor.next()) {
    counts.set(cursor.value.speaker, (counts.get(cursor.value.speaker) ?? 0) + 1);
  }
  return [...counts]
    .map(([speaker, turns]) => ({ speaker, name: speakerName(state, speaker), turns }))
    .sort((one, other) => one.speaker - other.speaker);
}

/** Returns the names that no speaker has. */
export const freeNames = (offered: readonly string[], known: readonly Pick<Speaker, 'name'>[]) =>
  offered.filter(name => name !== '' && !known.some(one => one.name === name));
