import type { ActionId } from '../keys/actions.ts';
import { type KeyChoices, keysOf } from '../keys/bindings.ts';
import { Keys } from '../keys/Keys.tsx';

/** The first key of an action, where it has one. */
export function FirstKey({ id, choices }: { readonly id: ActionId; readonly choices: KeyChoices }) {
  const [chord] = keysOf(id, choices);
  return chord ? <Keys chord={chord} /> : null;
}
