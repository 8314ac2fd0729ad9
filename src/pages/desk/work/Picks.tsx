import type { ComponentChildren } from 'preact';
import { Button } from '../../Button.tsx';
import type { ActionId } from '../keys/actions.ts';
import { FirstKey } from '../keys/Keys.tsx';

export interface Pick {
  readonly key: string | number;
  readonly content: ComponentChildren;
  readonly title?: string;
  /** The action with the same effect, whose first key is shown. */
  readonly action?: ActionId | undefined;
  readonly onPick: () => void;
  /** A second, smaller button. */
  readonly more?: { readonly label: string; readonly onPick: () => void };
}

export interface PicksProps {
  readonly picks: readonly Pick[];
  readonly isDisabled?: boolean;
}

/** A list of terms to pick by a click, which leaves the cursor in the text. */
export function Picks({ picks, isDisabled }: PicksProps) {
  return (
    <ul class="picks">
      {picks.map(({ key, content, title, action, onPick, more }) => (
        <li key={key}>
          <Button class="quiet" disabled={isDisabled} title={title} keepsFocus onClick={onPick}>
            {content}
            {action && <FirstKey id={action} />}
          </Button>
          {more && (
            <Button
              class="quiet"
              aria-label={more.label}
              title={more.label}
              disabled={isDisabled}
              keepsFocus
              onClick={more.onPick}
            >
              …
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
