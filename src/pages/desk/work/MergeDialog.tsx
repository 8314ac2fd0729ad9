import { useState } from 'preact/hooks';
import type { DeskTurn } from '../../../protocol/desk.ts';
import { Button } from '../../Button.tsx';
import { Dialog } from '../../Dialog.tsx';
import { dateText } from '../../times.ts';
import { differingWords, type TurnChoice, type TurnConflict } from '../editor/mergeTurns.ts';

export interface MergeDialogProps {
  readonly conflicts: readonly TurnConflict[];
  readonly savedBy: string | undefined;
  readonly savedOn: string | undefined;
  /** Returns false when there are other conflicts now. */
  readonly merge: (choices: readonly TurnChoice[]) => boolean;
  readonly onClose: () => void;
}

const CHOICES: Readonly<Record<TurnChoice, string>> = { ours: 'Here', theirs: 'Saved', both: 'Both' };

/** Shows turns that two people, or two windows, have changed, beside each other, and asks which to keep. */
export function MergeDialog({ conflicts, savedBy, savedOn, merge, onClose }: MergeDialogProps) {
  const [choices, setChoices] = useState<readonly TurnChoice[]>([]);
  const choiceOf = (index: number) => choices[index] ?? 'both';
  const submit = () => {
    if (merge(conflicts.map((_, index) => choiceOf(index)))) onClose();
    else setChoices([]);
  };
  const author = `Saved by ${savedBy ?? 'another window'}${savedOn === undefined ? '' : `, ${dateText(savedOn)}`}`;
  return (
    <Dialog title="Turns that were changed twice" onClose={onClose} isWide>
      {conflicts.map((conflict, index) => (
        <fieldset key={index} class="conflict">
          <legend>
            {index + 1} of {conflicts.length}
          </legend>
          <Version title="Here" turns={conflict.ours} others={conflict.theirs} />
          <Version title={author} turns={conflict.theirs} others={conflict.ours} />
          <div class="row">
            Keep
            {Object.entries(CHOICES).map(([choice, text]) => (
              <label key={choice}>
                <input
                  type="radio"
                  name={`conflict${index}`}
                  checked={choiceOf(index) === choice}
                  onChange={() =>
                    setChoices(conflicts.map((_, n) => (n === index ? (choice as TurnChoice) : choiceOf(n))))
                  }
                />
                {text}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <footer>
        <Button class="primary" onClick={submit}>
          Merge
        </Button>
      </footer>
    </Dialog>
  );
}

interface VersionProps {
  readonly title: string;
  readonly turns: readonly DeskTurn[];
  readonly others: readonly DeskTurn[];
}

/** Turns of one text, with the words marked that the other lacks. */
function Version({ title, turns, others }: VersionProps) {
  return (
    <section>
      <h3>{title}</h3>
      {turns.length === 0 && <p class="hint">Deleted</p>}
      <p dir="auto">
        {differingWords(turns, others).map(({ text, isOwn }, index) =>
          isOwn ? <mark key={index}>{text}</mark> : text,
        )}
      </p>
    </section>
  );
}

export interface KeptDialogProps {
  readonly kept: readonly DeskTurn[];
  readonly end: (isInserted: boolean) => void;
  readonly onClose: () => void;
}

/** Shows turns of an earlier window, and asks whether they are inserted. */
export function KeptDialog({ kept, end, onClose }: KeptDialogProps) {
  return (
    <Dialog title="Turns of an earlier window" onClose={onClose} isWide>
      {kept.map(({ text }, index) => (
        <p key={index} dir="auto">
          {text}
        </p>
      ))}
      <footer>
        <Button onClick={() => end(false)}>Drop them</Button>
        <Button class="primary" onClick={() => end(true)}>
          Insert them
        </Button>
      </footer>
    </Dialog>
  );
}
