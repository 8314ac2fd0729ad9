import { closeSearchPanel, findNext, findPrevious, getSearchQuery, replaceNext } from '@codemirror/search';
import { type EditorView, type Panel, runScopeHandlers } from '@codemirror/view';
import { render, type TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type ButtonProps } from '../../Button.tsx';
import { MAX_COUNTED, matchCounter } from './matchCounter.ts';
import { ReplaceAllDialog } from './ReplaceAllDialog.tsx';
import { changeQuery } from './searchQuery.ts';

/** Milliseconds without a change of the text after which matches are counted again. */
const PAUSE_MS = 200;

/** Opens the panel to find and replace. */
export function createSearchPanel(view: EditorView): Panel {
  const dom = document.createElement('search');
  dom.className = 'search-panel row';
  dom.addEventListener('keydown', event => onKey(view, event));
  let starts: readonly number[] | undefined;
  const draw = () => render(<SearchPanel view={view} starts={starts} />, dom);
  const count = matchCounter(view, found => {
    starts = found;
    draw();
  });
  return {
    dom,
    top: true,
    mount() {
      draw();
      dom.querySelector('input')?.focus();
    },
    update({ state, startState, docChanged, selectionSet }) {
      const isOther = getSearchQuery(state) !== getSearchQuery(startState);
      if (isOther) starts = undefined;
      if (isOther || docChanged) count(isOther ? 0 : PAUSE_MS);
      if (isOther || docChanged || selectionSet || state.readOnly !== startState.readOnly) draw();
    },
  };
}

function onKey(view: EditorView, event: KeyboardEvent): void {
  const { name } = event.target as HTMLInputElement;
  const onEnter = { search: event.shiftKey ? findPrevious : findNext, replace: replaceNext }[name];
  if (event.isComposing || (event.target as Element).closest('dialog')) return;
  if (event.key === 'Enter' && onEnter) onEnter(view);
  else if (!runScopeHandlers(view, event, 'search-panel')) return;
  event.preventDefault();
}

interface SearchPanelProps {
  readonly view: EditorView;
  /** Starts of the matches; undefined until they are counted. */
  readonly starts: readonly number[] | undefined;
}

function SearchPanel({ view, starts }: SearchPanelProps) {
  const [isAsking, setAsking] = useState(false);
  const query = getSearchQuery(view.state);
  const isInvalid = query.search !== '' && !query.valid;
  const field = (name: 'search' | 'replace', label: string) => {
    const onInput = ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>) =>
      changeQuery(view, { [name]: value });
    return { name, value: query[name], placeholder: label, 'aria-label': label, onInput };
  };
  // The style sheet draws the sign: as text content, it would have to begin the button's name.
  const sign = (text: string, label: string, onClick: () => void, props?: ButtonProps) => (
    <Button title={label} aria-label={label} data-sign={text} onClick={onClick} {...props} />
  );
  const toggle = (text: string, label: string, name: 'caseSensitive' | 'wholeWord' | 'regexp') =>
    sign(text, label, () => changeQuery(view, { [name]: !query[name] }), { 'aria-pressed': query[name] });
  return (
    <>
      <div class="row">
        {/* The buttons come first, so that Tab leads from one field to the other. */}
        {toggle('Aa', 'Match case', 'caseSensitive')}
        {toggle('|ab|', 'Whole words', 'wholeWord')}
        {toggle('.*', 'Regular expression', 'regexp')}
        {sign('↑', 'Previous', () => findPrevious(view))}
        {sign('↓', 'Next', () => findNext(view))}
        <input {...field('search', 'Find')} main-field aria-invalid={isInvalid} />
        <output class="hint">
          {isInvalid ? 'Not a regular expression' : starts && countText(view, starts)}
        </output>
      </div>
      {!view.state.readOnly && (
        <div class="row">
          <input {...field('replace', 'Replace with')} />
          <Button onClick={() => replaceNext(view)}>Replace</Button>
          <Button onClick={() => setAsking(starts?.length !== 0)}>Replace all …</Button>
        </div>
      )}
      {sign('✕', 'Close', () => closeSearchPanel(view), { class: 'quiet' })}
      {isAsking && <ReplaceAllDialog view={view} onClose={() => setAsking(false)} />}
    </>
  );
}

function countText({ state: { selection } }: EditorView, starts: readonly number[]): string {
  const total =
    Math.min(MAX_COUNTED, starts.length).toLocaleString('en') + (starts.length > MAX_COUNTED ? '+' : '');
  const number = selection.main.empty ? 0 : starts.lastIndexOf(selection.main.from, MAX_COUNTED - 1) + 1;
  if (starts.length === 0) return 'Not found';
  return number === 0 ? `${total} found` : `${number.toLocaleString('en')} of ${total}`;
}
