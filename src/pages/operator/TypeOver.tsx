import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlState } from '../../captions/control/captionControl.ts';
import { Button } from '../Button.tsx';
import { Section } from '../Section.tsx';
import type { Perform } from './desk.ts';

/** The field for text that is shown instead of recognised words. */
export function TypeOver({ state, perform }: { readonly state: ControlState; readonly perform: Perform }) {
  const { isTyping, language, outputs } = state;
  const kept = outputs.filter(({ keepsRetracted }) => keepsRetracted).map(({ name }) => name);
  const [typed, setTyped] = useState('');
  const [isTakingOver, setTakingOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Phrases are shown in the order in which they were typed.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    if (isTyping && isTakingOver) field.current?.focus();
    if (isTyping) setTakingOver(false);
  }, [isTyping]);

  const send = (phrase: string) => {
    if (phrase === '') return;
    queue.current = queue.current.then(async () => {
      const isPerformed = await perform({ type: 'type', text: phrase });
      // Text that was not shown returns to the field.
      if (!isPerformed) setTyped(rest => [phrase, rest].filter(Boolean).join(' '));
    });
  };
  const type = (text: string) => {
    const { phrase, rest } = nextPhrase(text);
    setTyped(rest);
    send(phrase);
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    setTyped('');
    send(typed.trim());
  };
  const toggle = () => {
    setTakingOver(!isTyping);
    void perform({ type: isTyping ? 'hand-back' : 'take-over' });
  };
  return (
    <Section title="Type over" class="card typing">
      <form onSubmit={onSubmit}>
        <input
          ref={field}
          type="text"
          aria-label="Text to show"
          aria-describedby="typing-hint"
          lang={language}
          dir="auto"
          maxLength={400}
          autocomplete="off"
          spellcheck
          disabled={!isTyping}
          value={typed}
          onInput={event => type(event.currentTarget.value)}
        />
        <div class="row">
          <Button aria-pressed={isTyping} onClick={toggle}>
            {isTyping ? 'Hand back to recognition' : 'Take over and type'}
          </Button>
          <button type="submit" disabled={!isTyping}>
            Send
          </button>
          <Button disabled={!isTyping} onClick={() => void perform({ type: 'retract' })}>
            Take back last phrase
          </Button>
        </div>
      </form>
      <p id="typing-hint" class="hint">
        A phrase is shown at Enter, at the end of a sentence, or when a row is full. Until then it can be
        changed.
      </p>
      <p class="hint" role="status">
        {kept.length > 0 && `What you took back remains where it was read: ${kept.join(', ')}.`}
      </p>
    </Section>
  );
}

/** Characters of a row, at which a typed phrase is sent. */
const ROW = 42;

const SENTENCE_END = /^(.*[.!?…]["'”’»)\]]*)\s+(\S*)$/su;

/** Splits typed text into a complete phrase and the rest: after the end of a sentence, or when a row is full. */
function nextPhrase(typed: string): { readonly phrase: string; readonly rest: string } {
  const [, sentence, after = ''] = SENTENCE_END.exec(typed) ?? /^(.*[。！？])(.*)$/su.exec(typed) ?? [];
  if (sentence !== undefined) return { phrase: sentence.trim(), rest: after };
  const space = typed.trimEnd().length < ROW ? -1 : typed.lastIndexOf(' ');
  if (space < 0) return { phrase: '', rest: typed };
  return { phrase: typed.slice(0, space).trim(), rest: typed.slice(space + 1) };
}
