import { useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import { Dialog } from '../../Dialog.tsx';
import { Problem } from '../../fields.tsx';
import { useWindowEvents } from '../../useWindowEvents.ts';
import { useDesk } from '../desk.ts';
import { type ActionId, DESK_ACTIONS, type DeskAction } from './actions.ts';
import { chooseKeys, findConflicts, keysOf, refusalOf } from './bindings.ts';
import { chordOf } from './chord.ts';
import { ActionGroups, Keys, shown } from './Keys.tsx';

/** Shows the keys of every action, and changes them. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { choices, changeKeys } = useDesk();
  const [waiting, setWaiting] = useState<ActionId>();
  const [problem, setProblem] = useState('');
  const conflicts = findConflicts(choices);
  useWindowEvents({
    keydown: event => {
      if (waiting === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const chord = chordOf(event);
      if (!chord) return;
      const refusal = refusalOf(chord);
      setWaiting(undefined);
      setProblem(refusal ?? '');
      if (!refusal) changeKeys(chooseKeys(choices, waiting, [...keysOf(waiting, choices), chord]));
    },
  });
  const change = (id: ActionId, chords: readonly string[]) => {
    setProblem('');
    changeKeys(chooseKeys(choices, id, chords));
  };
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <p class="hint">
        Add a key, then press it: a key of the keyboard, or a foot pedal that sends one. Ctrl is also ⌘ on a
        Mac.
      </p>
      <Problem text={problem || conflictText(conflicts)} />
      <ActionGroups>
        {actions => (
          <ul class="bindings">
            {actions.map(action => (
              <BindingRow
                key={action.id}
                action={action}
                conflicts={conflicts}
                isWaiting={waiting === action.id}
                onAdd={() => setWaiting(waiting === action.id ? undefined : action.id)}
                onChange={chords => change(action.id, chords)}
              />
            ))}
          </ul>
        )}
      </ActionGroups>
      <footer>
        <Button disabled={Object.keys(choices).length === 0} onClick={() => changeKeys({})}>
          Reset all keys
        </Button>
      </footer>
    </Dialog>
  );
}

interface BindingRowProps {
  readonly action: DeskAction;
  readonly conflicts: ReadonlyMap<string, readonly ActionId[]>;
  readonly isWaiting: boolean;
  readonly onAdd: () => void;
  readonly onChange: (chords: readonly string[]) => void;
}

function BindingRow({ action, conflicts, isWaiting, onAdd, onChange }: BindingRowProps) {
  const { choices } = useDesk();
  const { id, title, keys } = action;
  const chords = keysOf(id, choices);
  return (
    <li>
      <span>{title}</span>
      <span class="chords">
        {chords.map(chord => (
          <Button
            key={chord}
            class={conflicts.has(chord) ? 'chord conflicting' : 'chord'}
            title="Remove this key"
            aria-label={`Remove ${shown(chord)} from ${title}`}
            onClick={() => onChange(chords.filter(each => each !== chord))}
          >
            <Keys chord={chord} /> ✕
          </Button>
        ))}
        <Button
          aria-pressed={isWaiting}
          aria-label={isWaiting ? `Press a key for ${title}` : `Add a key to ${title}`}
          onClick={onAdd}
        >
          {isWaiting ? 'Press a key …' : 'Add'}
        </Button>
        {choices[id] && (
          <Button class="quiet" aria-label={`Reset ${title}`} onClick={() => onChange(keys)}>
            Reset
          </Button>
        )}
      </span>
    </li>
  );
}

function conflictText(conflicts: ReadonlyMap<string, readonly ActionId[]>): string {
  const titlesOf = (ids: readonly ActionId[]) =>
    DESK_ACTIONS.filter(({ id }) => ids.includes(id)).map(({ title }) => title);
  return [...conflicts]
    .map(
      ([chord, ids]) =>
        `${shown(chord)} is used more than once: ${titlesOf(ids).join('; ')}. The first action gets it.`,
    )
    .join(' ');
}
