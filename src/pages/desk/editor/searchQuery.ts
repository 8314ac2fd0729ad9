import { getSearchQuery, openSearchPanel, replaceAll, SearchQuery, setSearchQuery } from '@codemirror/search';
import type { ChangeSet, EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** Changes parts of the query of the search. */
export function changeQuery(view: EditorView, changes: Partial<SearchQuery>): void {
  const query = new SearchQuery({ ...getSearchQuery(view.state), test: isInLine, ...changes });
  view.dispatch({ effects: setSearchQuery.of(query) });
}

/** Lines are turns: a match is never in two of them. */
const isInLine = (match: string) => !match.includes('\n');

/** Opens the search, with the selected text in its field if there is any. */
export function openSearch(view: EditorView): boolean {
  const { search, replace } = getSearchQuery(view.state);
  const isInText = view.hasFocus;
  openSearchPanel(view);
  changeQuery(view, isInText ? { replace } : { search, replace });
  return goToField(view, 'search');
}

/** Opens the search at the field of the replacement, or of the searched text if that is empty. */
export function openReplace(view: EditorView): boolean {
  openSearch(view);
  return getSearchQuery(view.state).search === '' || goToField(view, 'replace');
}

function goToField(view: EditorView, name: string): true {
  const field = view.dom.querySelector<HTMLInputElement>(`.search-panel [name=${name}]`);
  field?.focus();
  field?.select();
  return true;
}

/** Returns the change that replaces all matches; undefined when there is none. */
export function allReplaced(state: EditorState): ChangeSet | undefined {
  let found: ChangeSet | undefined;
  const dispatch = ({ changes }: TransactionSpec) => {
    found = changes && state.changes(changes);
  };
  // The command uses no other property of a view.
  if (getSearchQuery(state).valid) replaceAll({ state, dispatch } as EditorView);
  return found;
}
