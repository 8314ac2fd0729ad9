import { useEffect, useState } from 'preact/hooks';
import type { ControlState } from '../../captions/control/captionControl.ts';
import { Button } from '../Button.tsx';
import { Section } from '../Section.tsx';
import type { Perform } from './desk.ts';

interface WordRulesProps {
  readonly state: ControlState;
  readonly perform: Perform;
  /** A word that was chosen in the preview; a new object for each choice. */
  readonly chosen: { readonly word: string } | undefined;
}

/** A rule, as it is listed. */
interface Rule {
  readonly kind: 'ban' | 'replace' | 'vocabulary';
  readonly text: string;
  /** Its effect, for people. */
  readonly effect: string;
  /** True for a rule that can be removed: those of the options remain. */
  readonly isAdded: boolean;
}

/** Rules for later text: words that are not shown or are replaced, and words that the recogniser should prefer. */
export function WordRules({ state, perform, chosen }: WordRulesProps) {
  const [text, setText] = useState('');
  const [by, setBy] = useState('');
  useEffect(() => {
    if (!chosen) return;
    setText(chosen.word);
    document.getElementById('ban')?.focus();
  }, [chosen]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const word = text.trim();
    const type = (event.submitter as HTMLButtonElement | null)?.value as 'ban' | 'replace' | 'vocabulary';
    if (word === '' || (type === 'replace' && by.trim() === '')) return;
    if (!(await perform(type === 'replace' ? { type, text: word, by: by.trim() } : { type, text: word })))
      return;
    setText('');
    setBy('');
  };
  const { ban = [], replace = [] } = state.addedRules;
  const isReplaced = (rule: string) => replace.some(({ text }) => text === rule);
  const rules: readonly Rule[] = [
    ...state.banned.map(
      text => ({ kind: 'ban', text, effect: 'not shown', isAdded: ban.includes(text) }) as const,
    ),
    ...state.replaced.map(
      ({ text, by }) =>
        ({ kind: 'replace', text, effect: `becomes ${by}`, isAdded: isReplaced(text) }) as const,
    ),
    ...state.addedPhrases.map(
      text => ({ kind: 'vocabulary', text, effect: 'expected', isAdded: true }) as const,
    ),
  ];
  return (
    <Section title="Words from now on" class="card">
      <form onSubmit={event => void submit(event)}>
        <PhraseField label="Word or phrase" value={text} onChange={setText} />
        <PhraseField label="Show instead" value={by} onChange={setBy} />
        <div class="row">
          <button type="submit" id="ban" value="ban">
            Ban
          </button>
          <button type="submit" value="replace" disabled={by.trim() === ''}>
            Replace
          </button>
          <button type="submit" value="vocabulary">
            Add to the vocabulary
          </button>
        </div>
      </form>
      {rules.length > 0 && (
        <ul class="rules" aria-label="Rules of this session">
          {rules.map(({ kind, text, effect, isAdded }) => (
            <li key={`${kind} ${text}`}>
              <bdi>{text}</bdi>: <bdi>{effect}</bdi>
              {isAdded && (
                <Button
                  aria-label={`Remove: ${text}, ${effect}`}
                  onClick={() => void perform({ type: 'undo', rule: kind, text })}
                >
                  ×
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

interface PhraseFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PhraseField({ label, value, onChange }: PhraseFieldProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        dir="auto"
        maxLength={200}
        autocomplete="off"
        value={value}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
