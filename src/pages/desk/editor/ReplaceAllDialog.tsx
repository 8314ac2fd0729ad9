import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { Button } from '../../Button.tsx';
import { Dialog } from '../../Dialog.tsx';
import { clockText } from '../../times.ts';
import { timedWordBefore } from './places.ts';
import { allReplaced } from './searchQuery.ts';
import { speakerName } from './speakerNames.ts';
import { turnsOf } from './turnState.ts';

/** Places that are shown before they are replaced. */
const SHOWN = 5;
/** Whole words that are shown around them. */
const BEFORE = /(?:^|\s).{0,30}$/u;
const AFTER = /^.{0,30}(?!\S)/u;

interface ReplaceAllDialogProps {
  readonly view: EditorView;
  readonly onClose: () => void;
}

/** Shows what would be replaced, and replaces it in one step. */
export function ReplaceAllDialog({ view, onClose }: ReplaceAllDialogProps) {
  const { state } = view;
  const changes = allReplaced(state);
  const places: { readonly from: number; readonly to: number; readonly insert: string }[] = [];
  changes?.iterChanges(
    (from, to, _start, _end, insert) => places.push({ from, to, insert: `${insert}` }),
    true,
  );
  const turns = new Set(places.map(({ from }) => state.doc.lineAt(from).number)).size;
  const replace = () => {
    onClose();
    view.dispatch({ changes, annotations: isolateHistory.of('full'), userEvent: 'input.replace.all' });
  };
  return (
    <Dialog
      title={`Replace ${counted(places.length, 'place')} in ${counted(turns, 'turn')}`}
      onClose={onClose}
    >
      <ul>
        {places.slice(0, SHOWN).map(({ from, to, insert }) => {
          const line = state.doc.lineAt(from);
          const [{ speaker } = { speaker: 0 }] = turnsOf(state, line.number - 1, line.number);
          const ts = timedWordBefore(state, to)?.word.ts ?? 0;
          return (
            <li key={from}>
              <p class="hint">
                {speakerName(state, speaker)}, {clockText(ts, { hours: true })}
              </p>
              {BEFORE.exec(line.text.slice(0, from - line.from))}
              <del>{state.sliceDoc(from, to)}</del> → <ins>{insert}</ins>
              {AFTER.exec(line.text.slice(to - line.from))}
            </li>
          );
        })}
      </ul>
      {places.length > SHOWN && <p class="hint">and {counted(places.length - SHOWN, 'more place')}</p>}
      <footer>
        <Button class="primary" data-first onClick={replace}>
          Replace all
        </Button>
      </footer>
    </Dialog>
  );
}

const counted = (count: number, name: string) =>
  `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;
