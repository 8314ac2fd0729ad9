import { showChord } from './chord.ts';

const isMac = navigator.platform.startsWith('Mac');

/** Returns a chord as it is read on this computer. */
export const shown = (chord: string) => showChord(chord, { isMac });

/** A chord. */
export function Keys({ chord }: { readonly chord: string }) {
  return <kbd>{shown(chord)}</kbd>;
}
