import { useState } from 'preact/hooks';
import { counted } from '../../base/text.ts';
import type { ControlState } from '../../captions/control/captionControl.ts';
import { type RoomFigures, shownDelays } from '../../captions/control/operatorMessage.ts';
import { Button } from '../Button.tsx';
import { Section } from '../Section.tsx';
import { languageName } from '../texts.ts';
import type { Perform } from './desk.ts';

interface ControlsProps {
  readonly state: ControlState;
  readonly perform: Perform;
}

interface CaptionsProps extends ControlsProps {
  readonly faults: readonly string[];
  readonly isConnected: boolean;
  readonly figures: RoomFigures | undefined;
  /** Name of the source of the page. */
  readonly room: string;
  /** Names of all sources. */
  readonly rooms: readonly string[];
}

/** Seconds without a word after which captions that are on no longer count as good. */
const QUIET_SECONDS = 15;

/** The buttons start, pause, unsend and kill. Kill is set apart, and is the only red button. */
export function Controls({ state, figures, faults, perform, isConnected, room, rooms }: CaptionsProps) {
  const { mode, leftAtMs, outputs } = state;
  const { sinceWordSeconds = Number.POSITIVE_INFINITY } = figures ?? { sinceWordSeconds: 0 };
  const isWaiting = mode === 'on' && !state.isTyping && sinceWordSeconds > QUIET_SECONDS;
  const waiting = outputs
    .filter(({ waitingWords }) => waitingWords > 0)
    .map(({ name, waitingWords }) => `${name}: ${counted(waitingWords, 'word')}`);
  return (
    <section class="controls-of-captions" aria-label="Captions">
      <p
        class="mode dotted"
        data-mode={faults.length > 0 ? 'fault' : isConnected && !isWaiting ? mode : undefined}
        role="status"
      >
        Captions {isConnected ? 'are' : 'were'} {mode}
        {state.isTyping && ', typed by hand'}
        {isWaiting && ', but no words come'}
        {leftAtMs !== undefined &&
          `, as they were left before a restart (${new Date(leftAtMs).toLocaleString()})`}
      </p>
      <p class="faults" role="alert">
        {faults.join(' ')}
      </p>
      <p class="lag">{mode === 'on' && !state.isTyping && <Delay outputs={outputs} />}</p>
      <div class="row">
        <Button class="start" disabled={mode === 'on'} onClick={() => void perform({ type: 'start' })}>
          Start <kbd>Shift+F2</kbd>
        </Button>
        <Button disabled={mode !== 'on'} onClick={() => void perform({ type: 'pause' })}>
          Pause <kbd>F2</kbd>
        </Button>
        <Button onClick={() => void perform({ type: 'unsend' })}>
          Drop waiting words <kbd>F4</kbd>
          <small>{waiting.join(', ') || 'nothing waits'}</small>
        </Button>
      </div>
      <div class="kills">
        <Button class="kill" onClick={() => void perform({ type: 'kill' })}>
          Kill {rooms.length > 1 && room} <kbd>F9</kbd>
          <small>removes everything from all screens</small>
        </Button>
        {rooms.length > 1 && (
          <Button class="kill" onClick={() => void perform({ type: 'kill' }, rooms)}>
            Kill all rooms <kbd>Shift+F9</kbd>
          </Button>
        )}
      </div>
    </section>
  );
}

/** The shortest delay of the words, and that of the outputs that differ from it. */
function Delay({ outputs }: Pick<ControlState, 'outputs'>) {
  const { first, others } = shownDelays(outputs);
  if (!first) return null;
  return (
    <>
      Words come after <strong>{first.p50.toFixed(1)} s</strong>, 95 % within {first.p95.toFixed(1)} s
      {others.map(({ name, p50 }) => `; on ${name} after ${p50.toFixed(1)} s`)}
    </>
  );
}

/** The language of the recognition. */
export function Language({ state, perform }: ControlsProps) {
  const [language, setLanguage] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const wanted = language.trim();
    if (wanted.length >= 2 && (await perform({ type: 'language', language: wanted }))) setLanguage('');
  };
  return (
    <Section title="Language" class="card">
      <form class="row" onSubmit={event => void submit(event)}>
        <label>
          Now {nameWithCode(state.language)}. Change to
          <input
            type="text"
            maxLength={35}
            minLength={2}
            size={8}
            placeholder="de"
            autocomplete="off"
            autocapitalize="none"
            value={language}
            onInput={event => setLanguage(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={language.trim().length < 2}>
          Change
        </button>
      </form>
    </Section>
  );
}

function nameWithCode(code: string): string {
  const name = languageName(code);
  return name === code ? code : `${name} (${code})`;
}
