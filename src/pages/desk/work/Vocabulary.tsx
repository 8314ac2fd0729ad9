import { useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import type { KeyChoices } from '../keys/bindings.ts';
import { FirstKey } from '../keys/Keys.tsx';

export interface VocabularyProps {
  readonly phrases: readonly string[];
  /** Language of the terms. */
  readonly language: string;
  readonly choices: KeyChoices;
  readonly isReadOnly: boolean;
  readonly onTerm: (term: string) => void;
}

/** Elements of a long list that are shown without a search. */
const SHOWN = 60;

/** Terms of the customer, to be searched and inserted. */
export function Vocabulary({ phrases, language, choices, isReadOnly, onTerm }: VocabularyProps) {
  const [search, setSearch] = useState('');
  const found = phrases
    .map((phrase, index) => ({ phrase, index }))
    .filter(({ phrase }) => phrase.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()));
  const insert = (term: string) => {
    setSearch('');
    onTerm(term);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && found[0] && !isReadOnly) insert(found[0].phrase);
    else if (event.key === 'Escape') setSearch('');
    else return;
    event.preventDefault();
  };
  return (
    <section aria-label="Vocabulary">
      <h2>Vocabulary</h2>
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
      <ul class="picks terms">
        {found.slice(0, SHOWN).map(({ phrase, index }) => (
          <li key={index}>
            <Button disabled={isReadOnly} title={phrase} keepsFocus onClick={() => insert(phrase)}>
              <bdi lang={language}>{phrase}</bdi>
              {index < 9 && <FirstKey id={`term${(index + 1) as 1}`} choices={choices} />}
            </Button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p class="hint">{found.length - SHOWN} more: search for them.</p>}
    </section>
  );
}
