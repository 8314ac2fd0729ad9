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

/** Choices, each with the text that it is compared with. */
const CHOICES = [
  ['ours', 'theirs'],
  ['theirs', 'ours'],
  ['both', 'both'],
] as const;

/** Shows both versions of turns that two people, or two windows, have changed, and asks which to keep. */
export function MergeDialog({ conflicts, savedBy, savedOn, merge, onClose }: MergeDialogProps) {
  const [choices, setChoices] = useState<readonly TurnChoice[]>([]);
  const choiceOf = (index: number) => choices[index] ?? 'both';
  const submit = () => {
    if (merge(conflicts.map((_, index) => choiceOf(index)))) onClose();
    else setChoices([]);
  };
  const author = `Saved by ${savedBy ?? 'another window'}${savedOn === undefined ? '' : `, ${dateText(savedOn)}`}`;
  const titles = { ours: 'Here', theirs: author, both: 'Both' };
  return (
    <Dialog title="Turns that were changed twice" onClose={onClose} isWide>
      {conflicts.map((conflict, index) => (
        <fieldset key={index} class="conflict">
          <legend>
            Keep {index + 1} of {conflicts.length}
          </legend>
          {CHOICES.map(([choice, other]) => (
            <label key={choice}>
              <input
                type="radio"
                name={`conflict${index}`}
                data-first={choice === choiceOf(index) || undefined}
                checked={choice === choiceOf(index)}
                onChange={() => setChoices(conflicts.map((_, n) => (n === index ? choice : choiceOf(n))))}
              />
              <b>{titles[choice]}</b>
              <Version turns={conflict[choice]} others={conflict[other]} />
            </label>
          ))}
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
  readonly turns: readonly DeskTurn[];
  readonly others: readonly DeskTurn[];
}

/** Turns of one text. Words that the other text lacks are marked. */
function Version({ turns, others }: VersionProps) {
  if (turns.length === 0) return <span class="hint">Deleted</span>;
  return (
    <span dir="auto">
      {differingWords(turns, others).map(({ text, isOwn }, index) =>
        isOwn ? <mark key={index}>{text}</mark> : text,
      )}
    </span>
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
