import { EditorView } from '@codemirror/view';

/** Colours are those of the page. */
export const editorTheme = EditorView.theme({
  '&': {
    blockSize: '100%',
    color: 'var(--text)',
    background: 'var(--page)',
    border: '2px solid transparent',
  },
  // A border, as an outline would be hidden behind lines.
  '&.cm-focused': { outline: 'none', borderColor: 'var(--accent)' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'inherit', lineHeight: '1.6' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--text)' },
  '.cm-line': { position: 'relative', padding: '0.2em 1rem', paddingInlineStart: 'clamp(7rem, 16%, 12rem)' },
  '.cm-line::before': {
    content: 'attr(data-speaker)',
    position: 'absolute',
    insetInlineStart: '0.75rem',
    inlineSize: 'calc(clamp(7rem, 16%, 12rem) - 1.5rem)',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontSize: '0.8em',
    fontWeight: '600',
    color: 'var(--accent)',
    unicodeBidi: 'isolate',
    pointerEvents: 'none',
  },
  '.cm-line::after': {
    content: 'attr(data-time)',
    position: 'absolute',
    insetInlineStart: '0.75rem',
    insetBlockStart: '1.7em',
    fontSize: '0.75em',
    color: 'var(--dim)',
    pointerEvents: 'none',
  },
  '.cm-line[data-time]': { minBlockSize: '3.2em' },
  '.cm-activeLine': { background: 'var(--surface)' },
  '.cm-playing': { background: 'var(--accent)', color: 'var(--page)', borderRadius: '0.15em' },
  '.cm-uncertain': { textDecoration: 'underline wavy 1.5px', textDecorationSkipInk: 'none' },
  '.cm-panels': { color: 'var(--text)', background: 'var(--surface)' },
  '.cm-panels-top': { borderBlockEnd: '1px solid var(--edge)' },
  '.cm-searchMatch': { background: 'none', outline: '1px solid var(--accent)' },
  '.cm-searchMatch-selected': { background: 'var(--accent)', color: 'var(--page)' },
});
