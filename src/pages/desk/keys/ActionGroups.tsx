import type { ComponentChildren } from 'preact';
import { Section } from '../../Section.tsx';
import { ACTION_GROUPS, DESK_ACTIONS, type DeskAction } from './actions.ts';

/** All actions, with a section for each group: `children` renders its list. */
export function ActionGroups({
  children,
}: {
  readonly children: (actions: readonly DeskAction[]) => ComponentChildren;
}) {
  return ACTION_GROUPS.map(group => (
    <Section key={group} title={group} heading="h3">
      {children(DESK_ACTIONS.filter(action => action.group === group))}
    </Section>
  ));
}
