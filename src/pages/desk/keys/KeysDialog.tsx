import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { ACTION_GROUPS, type ActionId, DESK_ACTIONS } from './actions.ts';
import { chooseKeys, findConflicts, type KeyChoices, keysOf, refusalOf } from './bindings.ts';
import { chordOf } from './chord.ts';
import { Keys, shown } from './Keys.tsx';

export interface KeysDialogProps {
  readonly choices: KeyChoices;
  readonly onChange: (choices: KeyChoices) => void;
  readonly onClose: () => void;
}

/** Shows the keys of every action, and changes them. */
export function KeysDialog({ choices, onChange, onClose }: KeysDialogProps) {
  const [waiting, setWaiting] = useState<ActionId>();
  const [problem, setProblem] = useState('');
  const conflicts = findConflicts(choices);
  useNextChord(waiting !== undefined, chord => {
    const id = waiting!;
    setWaiting(undefined);
    setProblem(refusalOf(chord) ?? '');
    if (!refusalOf(chord)) onChange(chooseKeys(choices, id, [...keysOf(id, choices), chord]));
  });
  const change = (id: ActionId, chords: readonly string[]) => {
    setProblem('');
    onChange(chooseKeys(choices, id, chords));
  };
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <p class="hint">
        Add a key, then press it: a key of the keyboard, or a foot pedal that sends one. Ctrl is also ⌘ on a
        Mac.
      </p>
      <p class="problem" role="alert">
        {problem || conflictText(conflicts)}
      </p>
      {ACTION_GROUPS.map(group => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <ul class="bindings">
            {DESK_ACTIONS.filter(action => action.group === group).map(({ id, title }) => (
              <BindingRow
                key={id}
                title={title}
                chords={keysOf(id, choices)}
                conflicts={conflicts}
                isChanged={choices[id] !== undefined}
                isWaiting={waiting === id}
                onAdd={() => setWaiting(waiting === id ? undefined : id)}
                onRemove={chord =>
                  change(
                    id,
                    keysOf(id, choices).filter(each => each !== chord),
                  )
                }
                onReset={() => change(id, keysOf(id, {}))}
              />
            ))}
          </ul>
        </section>
      ))}
      <footer>
        <Button disabled={Object.keys(choices).length === 0} onClick={() => onChange({})}>
          Reset all keys
        </Button>
      </footer>
    </Dialog>
  );
}

interface BindingRowProps {
  readonly title: string;
  readonly chords: readonly string[];
  readonly conflicts: ReadonlyMap<string, readonly ActionId[]>;
  readonly isChanged: boolean;
  readonly isWaiting: boolean;
  readonly onAdd: () => void;
  readonly onRemove: (chord: string) => void;
  readonly onReset: () => void;
}

function BindingRow(props: BindingRowProps) {
  const { title, chords, conflicts, isChanged, isWaiting, onAdd, onRemove, onReset } = props;
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
            onClick={() => onRemove(chord)}
          >
            <Keys chord={chord} /> ✕
          </Button>
        ))}
        <Button aria-pressed={isWaiting} aria-label={`Add a key to ${title}`} onClick={onAdd}>
          {isWaiting ? 'Press a key …' : 'Add'}
        </Button>
        {isChanged && (
          <Button class="quiet" aria-label={`Reset ${title}`} onClick={onReset}>
            Reset
          </Button>
        )}
      </span>
    </li>
  );
}

function conflictText(conflicts: ReadonlyMap<string, readonly ActionId[]>): string {
  const titleOf = (id: ActionId) => DESK_ACTIONS.find(action => action.id === id)!.title;
  return [...conflicts]
    .map(
      ([chord, ids]) =>
        `${shown(chord)} is used more than once: ${ids.map(titleOf).join('; ')}. The first has it.`,
    )
    .join(' ');
}

/** Calls with the next chord that is pressed while it waits. */
function useNextChord(isWaiting: boolean, onChord: (chord: string) => void): void {
  // At once, as the key may be pressed before the next frame is drawn.
  useLayoutEffect(() => {
    if (!isWaiting) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const chord = chordOf(event);
      event.preventDefault();
      event.stopImmediatePropagation();
      if (chord) onChord(chord);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  });
}
