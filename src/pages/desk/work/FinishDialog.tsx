import type { EditorState } from '@codemirror/state';
import { useEffect, useState } from 'preact/hooks';
import { counted } from '../../../base/text.ts';
import { Button } from '../../Button.tsx';
import { Dialog } from '../../Dialog.tsx';
import { Problem } from '../../fields.tsx';
import { invisibleIn } from '../editor/commands.ts';
import { untimedWords } from '../editor/places.ts';
import { countInaudible, hasText } from './spoken.ts';
import type { Work } from './startWork.ts';

export interface FinishDialogProps {
  readonly work: Work;
  readonly finish: (revision: number) => Promise<void>;
  readonly onFinished: () => void;
  readonly onClose: () => void;
}

/** Saves unsaved changes, lists missing parts, and asks for confirmation once. */
export function FinishDialog({ work, finish, onFinished, onClose }: FinishDialogProps) {
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const { editor, saver } = work;
  const turns = editor.turns();
  const untimed = countUntimed(editor.view.state);
  const inaudible = countInaudible(turns);
  const [invisible, setInvisible] = useState(() => invisibleIn(editor.view.state).length);
  const remove = () => {
    editor.run('removeInvisible');
    setInvisible(0);
  };
  useEffect(() => {
    saver.flush().then(
      () => setSaved(true),
      (error: Error) => setProblem(`Your text cannot be saved now. ${error.message}`),
    );
  }, [saver]);
  const submit = async () => {
    setBusy(true);
    setProblem('');
    try {
      await saver.flush();
      await finish(saver.revision);
      onFinished();
    } catch (error) {
      setProblem(`The job is not finished. ${(error as Error).message}`);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Finish the job?" onClose={onClose}>
      <p>The customer gets the transcript, and the job leaves the desk. This cannot be undone.</p>
      <ul class="lacks">
        {!hasText(turns) && <li>There is no text.</li>}
        {untimed > 0 && (
          <li>
            {untimed === 1 ? '1 word has no time yet' : `${untimed} words have no times yet`}. Finishing the
            job adds what is missing.
          </li>
        )}
        {invisible > 0 && (
          <li>
            {counted(invisible, 'invisible character')}, which the text shows as dots.{' '}
            <Button onClick={remove}>Remove</Button>
          </li>
        )}
        {inaudible > 0 && (
          <li>{inaudible === 1 ? '1 mark' : `${inaudible} marks`} of something inaudible.</li>
        )}
      </ul>
      <Problem text={problem} />
      <footer>
        <Button data-first onClick={onClose}>
          Go on working
        </Button>
        <Button class="primary" disabled={!isSaved || isBusy} onClick={submit} aria-busy={isBusy}>
          {isBusy ? 'Finishing …' : isSaved || problem ? 'Finish' : 'Saving …'}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Returns the number of words without a time. */
function countUntimed(state: EditorState): number {
  let count = 0;
  for (let line = 1; line <= state.doc.lines; line++) count += untimedWords(state, line).length;
  return count;
}
