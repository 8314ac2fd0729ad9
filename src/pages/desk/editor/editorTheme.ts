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
  '.cm-line': {
    position: 'relative',
    minBlockSize: '3.2em',
    padding: '0.2em 1rem',
    paddingInlineStart: 'clamp(7rem, 16%, 12rem)',
  },
  '.cm-turn': {
    position: 'absolute',
    insetInlineStart: '0.75rem',
    insetBlockStart: '0.2em',
    inlineSize: 'calc(clamp(7rem, 16%, 12rem) - 1.5rem)',
    lineHeight: '1.5',
    unicodeBidi: 'isolate',
    userSelect: 'none',
  },
  '.cm-turn > *': {
    display: 'block',
    maxInlineSize: '100%',
    minBlockSize: '0',
    padding: '0',
    border: '0',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    background: 'none',
    fontSize: '0.75em',
    color: 'var(--dim)',
  },
  '.cm-turn > button': { fontSize: '0.8em', fontWeight: '600', cursor: 'pointer' },
  '.cm-turn > button:hover': { textDecoration: 'underline' },
  // On a phone, the label is above the text.
  '@media (max-width: 30rem)': {
    '.cm-line': { padding: '1.8em 0.75rem 0.2em' },
    '.cm-turn': { display: 'flex', gap: '0.75rem', inlineSize: 'calc(100% - 1.5rem)' },
  },
  '.cm-activeLine': { background: 'var(--surface)' },
  '.cm-playing': { background: 'var(--accent)', color: 'var(--page)', borderRadius: '0.15em' },
  '.cm-uncertain': { textDecoration: 'underline wavy 1.5px', textDecorationSkipInk: 'none' },
  '.cm-panels': { color: 'var(--text)', background: 'var(--surface)' },
  '.cm-panels-top': { borderBlockEnd: '1px solid var(--edge)' },
  '.cm-searchMatch': { background: 'none', outline: '1px solid var(--accent)' },
  '.cm-searchMatch-selected': { background: 'var(--accent)', color: 'var(--page)' },
});
