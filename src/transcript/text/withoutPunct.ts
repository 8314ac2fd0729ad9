import type { Transcript } from '../model/model.ts';

/** A transcript without punctuation, spaces included; monologues of nothing else are left out. */
export function withoutPunct({ monologues }: Transcript): Transcript {
  const bare = monologues.map(monologue => ({
    ...monologue,
    elements: monologue.elements.filter(({ type }) => type !== 'punct'),
  }));
  return { monologues: bare.filter(({ elements }) => elements.length > 0) };
}
