import type { ComponentChildren } from 'preact';
import { Section } from '../../Section.tsx';
import { useDesk } from '../desk.ts';
import { ACTION_GROUPS, type ActionId, DESK_ACTIONS, type DeskAction } from './actions.ts';
import { keysOf } from './bindings.ts';
import { showChord } from './chord.ts';

const isMac = navigator.platform.startsWith('Mac');

/** Returns a chord in the notation of this computer. */
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

export interface ActionGroupsProps {
  /** Default: all actions. */
  readonly filter?: (action: DeskAction) => boolean;
  readonly children: (actions: readonly DeskAction[]) => ComponentChildren;
}

/** Actions, with a section for each group that has some: `children` renders its list. */
export function ActionGroups({ filter = () => true, children }: ActionGroupsProps) {
  return ACTION_GROUPS.map(group => {
    const actions = DESK_ACTIONS.filter(action => action.group === group && filter(action));
    return actions.length === 0 ? null : (
      <Section key={group} title={group} heading="h3">
        {children(actions)}
      </Section>
    );
  });
}
