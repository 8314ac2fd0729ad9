import { useState } from 'preact/hooks';
import { Section } from '../../Section.tsx';
import { TERM_ACTIONS } from '../keys/actions.ts';
import { Picks } from './Picks.tsx';

export interface VocabularyProps {
  readonly phrases: readonly string[];
  /** Language of the terms. */
  readonly language: string;
  readonly isReadOnly: boolean;
  readonly onTerm: (term: string) => void;
}

/** Elements of a long list that are shown without a search. */
const SHOWN = 60;

/** Terms of the customer, to be searched and inserted. */
export function Vocabulary({ phrases, language, isReadOnly, onTerm }: VocabularyProps) {
  const [search, setSearch] = useState('');
  const found = phrases
    .map((phrase, index) => ({ phrase, index }))
    .filter(({ phrase }) => phrase.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()));
  const insert = (term: string) => {
    setSearch('');
    onTerm(term);
  };
  const picks = found.slice(0, SHOWN).map(({ phrase, index }) => ({
    key: index,
    content: <bdi lang={language}>{phrase}</bdi>,
    title: phrase,
    action: TERM_ACTIONS[index],
    onPick: () => insert(phrase),
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && found[0] && !isReadOnly) insert(found[0].phrase);
    else if (event.key === 'Escape') setSearch('');
    else return;
    event.preventDefault();
  };
  return (
    <Section title="Vocabulary">
      <input
        type="search"
        name="terms"
        value={search}
        placeholder="Search; Enter inserts the first"
        aria-label="Search the vocabulary"
        disabled={phrases.length === 0}
        onInput={event => setSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {phrases.length === 0 && <p class="hint">The customer has given no terms.</p>}
      <Picks picks={picks} isDisabled={isReadOnly} />
      {found.length > SHOWN && <p class="hint">{found.length - SHOWN} more: search for them.</p>}
    </Section>
  );
}
