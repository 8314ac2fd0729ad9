import { useDesk } from '../desk.ts';
import type { ActionId } from './actions.ts';
import { keysOf } from './bindings.ts';
import { showChord } from './chord.ts';

const isMac = navigator.platform.startsWith('Mac');

/** Returns a chord as it is read on this computer. */
export const shown = (chord: string) => showChord(chord, { isMac });

/** A chord. */
export function Keys({ chord }: { readonly chord: string }) {
  return <kbd>{shown(chord)}</kbd>;
}

/** The first key of an action, where it has one. */
export function FirstKey({ id }: { readonly id: ActionId }) {
  const { choices } = useDesk();
  const [chord] = keysOf(id, choices);
  return chord ? <Keys chord={chord} /> : null;
}
