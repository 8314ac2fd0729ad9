import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ControlCommand, ControlState } from '../../captions/control/captionControl.ts';
import { Button } from '../Button.tsx';
import { Section } from '../Section.tsx';
import type { Perform } from './desk.ts';
import { useKeys } from './useKeys.ts';

/** The field for text that is shown instead of recognised words. */
export function TypeOver({ state, perform }: { readonly state: ControlState; readonly perform: Perform }) {
  const { isTyping, language, outputs } = state;
  const kept = outputs.filter(({ keepsRetracted }) => keepsRetracted).map(({ name }) => name);
  const [typed, setTyped] = useState('');
  // Text can be typed at once, before the server has answered.
  const [isTakingOver, setTakingOver] = useState(false);
  const isOpen = isTyping || isTakingOver;
  const field = useRef<HTMLInputElement>(null);
  // Commands are performed in the order in which they were given.
  const queue = useRef<Promise<boolean>>(Promise.resolve(true));
  const inTurn = (command: ControlCommand) => {
    queue.current = queue.current.then(() => perform(command));
    return queue.current;
  };
  useLayoutEffect(() => {
    if (isTyping) setTakingOver(false);
  }, [isTyping]);
  useLayoutEffect(() => {
    if (isTakingOver) field.current?.focus();
  }, [isTakingOver]);

  const send = async (phrase: string) => {
    if (phrase === '') return;
    // Text that was not shown returns to the field.
    if (!(await inTurn({ type: 'type', text: phrase }))) {
      setTyped(rest => [phrase, rest].filter(Boolean).join(' '));
    }
  };
  const type = (text: string) => {
    const { phrase, rest } = nextPhrase(text);
    setTyped(rest);
    void send(phrase);
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    setTyped('');
    void send(typed.trim());
  };
  const toggle = async () => {
    setTakingOver(!isOpen);
    const isPerformed = await inTurn({ type: isOpen ? 'hand-back' : 'take-over' });
    if (!isPerformed) setTakingOver(false);
  };
  const takeBack = () => {
    if (!isOpen) return;
    void inTurn({ type: 'retract' });
    field.current?.focus();
  };
  useKeys({ F8: toggle, 'Shift+F8': takeBack });
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
          disabled={!isOpen}
          value={typed}
          onInput={event => type(event.currentTarget.value)}
        />
        <div class="row">
          <Button aria-pressed={isOpen} onClick={() => void toggle()}>
            {isOpen ? 'Hand back to recognition' : 'Take over and type'} <kbd>F8</kbd>
          </Button>
          <button type="submit" disabled={!isOpen}>
            Send
          </button>
          <Button disabled={!isOpen} onClick={takeBack}>
            Take back last phrase <kbd>Shift+F8</kbd>
          </Button>
        </div>
      </form>
      <p id="typing-hint" class="hint">
        A phrase is shown at Enter, at the end of a sentence, or when a row is full. Until then it can be
        changed.
      </p>
      <p class="hint" role="status">
        {!isOpen && typed !== '' && `Not sent: “${typed}”. Take over to send it. `}
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
