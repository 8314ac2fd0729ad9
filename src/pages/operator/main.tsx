import { Fragment, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperatorMessage } from '../../captions/control/operatorMessage.ts';
import { Section } from '../Section.tsx';
import { keepToken, keptToken, loadText, saveText } from '../stored.ts';
import { TokenForm } from '../TokenForm.tsx';
import { Controls, Language } from './Controls.tsx';
import { COMMAND_NAMES, type Desk, openDesk, type Perform, RefusedError } from './desk.ts';
import { faultsOf } from './faults.ts';
import { Outputs } from './Outputs.tsx';
import { Preview } from './Preview.tsx';
import { TypeOver } from './TypeOver.tsx';
import { useKeys } from './useKeys.ts';
import { Messages, Rooms, Watch } from './Watch.tsx';
import { WordRules } from './WordRules.tsx';

/** Name of the stored token. */
const KEY = 'rxscribe.operator';
/** Name of the stored limit of delays, and its default in seconds. */
const LATE = { key: 'rxscribe.operator.late', seconds: 5 } as const;

/** Returns the token of the address, and removes it there at once; else the one that was typed in this tab before. */
function loadToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    keepToken(KEY, given);
  }
  return keptToken(KEY);
}

/** Outcome of the last command. */
interface Outcome {
  readonly kind: 'pending' | 'performed' | 'failed';
  readonly text: string;
}

const LOST = 'There is no connection to the server. What you see may be out of date.';

function App() {
  const [token, setToken] = useState(loadToken);
  const [problem, setProblem] = useState('');
  const enter = (given: string) => {
    keepToken(KEY, given);
    setProblem('');
    setToken(given);
  };
  const refuse = (reason: string) => {
    keepToken(KEY, '');
    setToken('');
    setProblem(reason);
  };
  return token === '' ? (
    <main class="entrance">
      <h1>Operator of live captions</h1>
      <TokenForm problem={problem} onToken={enter} />
    </main>
  ) : (
    <OperatorDesk token={token} onRefused={refuse} />
  );
}

interface DeskProps {
  readonly token: string;
  readonly onRefused: (reason: string) => void;
}

function OperatorDesk({ token, onRefused }: DeskProps) {
  const [message, setMessage] = useState<OperatorMessage>();
  const [isConnected, setConnected] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [chosen, setChosen] = useState<{ readonly word: string }>();
  const [lateSeconds, setLateSeconds] = useState(Number(loadText(LATE.key)) || LATE.seconds);
  const desk = useRef<Desk>(undefined);
  const number = useRef(0);
  useEffect(() => {
    desk.current = openDesk({ token, onMessage: setMessage, onConnected: setConnected, onRefused });
    return () => desk.current?.close();
  }, [token]);

  const perform: Perform = async (command, rooms) => {
    const isNamed = command.type === 'kill' && message && message.rooms.length > 1;
    const name = COMMAND_NAMES[command.type] + (isNamed ? ` of ${(rooms ?? [message.room]).join(', ')}` : '');
    const mine = ++number.current;
    // Only the latest command reports its progress and success; every command reports its failure.
    const report = (result: Outcome) => {
      if (mine === number.current || result.kind === 'failed') setOutcome(result);
    };
    report({ kind: 'pending', text: `${name}: waiting for the server …` });
    try {
      await desk.current!.perform(command, rooms);
      report({ kind: 'performed', text: `${name}: done at ${new Date().toLocaleTimeString()}.` });
      return true;
    } catch (error) {
      const result = error instanceof RefusedError ? 'refused' : 'not confirmed';
      report({ kind: 'failed', text: `${name}: ${result}. ${(error as Error).message}` });
      return false;
    }
  };
  const rooms = (message?.rooms ?? []).map(room => ({ room, faults: faultsOf(room, lateSeconds) }));
  const own = rooms.find(({ room }) => room.name === message?.room);
  const names = rooms.map(({ room }) => room.name);
  useShortcuts(perform, names);
  const { state, figures } = own?.room ?? {};
  const isOver = message?.isOver ?? false;
  const keepLateSeconds = (seconds: number) => {
    saveText(LATE.key, String(seconds));
    setLateSeconds(seconds);
  };
  return (
    <main>
      <h1>Live captions{message?.room ? `: ${message.room}` : ''}</h1>
      <Rooms rooms={rooms} shown={message?.room ?? ''} />
      <p class={isConnected || isOver ? 'link' : 'link lost'} role="alert">
        {isOver ? 'The captions have ended.' : isConnected ? '' : LOST}
      </p>
      {own && state ? (
        <>
          <Controls
            state={state}
            figures={figures}
            faults={own.faults}
            perform={perform}
            isConnected={isConnected && !isOver}
            room={message?.room ?? ''}
            rooms={names}
          />
          <p class="outcome" data-kind={outcome?.kind} role={outcome?.kind === 'failed' ? 'alert' : 'status'}>
            {outcome?.text ?? 'Each command is confirmed here.'}
          </p>
          <div class="cards">
            <Preview track={own.room.track} onWord={word => setChosen({ word })} />
            <TypeOver state={state} perform={perform} />
            {figures && (
              <Watch
                figures={figures}
                viewers={message?.viewers}
                hasFault={rooms.some(({ faults }) => faults.length > 0)}
                lateSeconds={lateSeconds}
                onLateSeconds={keepLateSeconds}
                perform={perform}
              />
            )}
            <Outputs outputs={state.outputs} />
            {figures && <Messages messages={figures.messages} />}
            <WordRules state={state} perform={perform} chosen={chosen} />
            <Language state={state} perform={perform} />
            <Shortcuts />
          </div>
        </>
      ) : (
        <p class="hint">Connecting …</p>
      )}
    </main>
  );
}

/** Keys with their effect, and the command of those that work anywhere. Function keys type nothing, so they work in every field. */
const KEYS: readonly (readonly [
  key: string,
  effect: string,
  type?: 'kill' | 'pause' | 'start' | 'unsend',
])[] = [
  ['F9', 'Kill: removes everything from all screens at once; Start shows captions again', 'kill'],
  ['Shift+F9', 'Kill all rooms', 'kill'],
  ['F2', 'Pause, with a marker on the screens', 'pause'],
  ['Shift+F2', 'Start', 'start'],
  ['F4', 'Drop the words that delayed outputs have not shown', 'unsend'],
  ['F8', 'Take over and type, or hand back to recognition'],
  ['Shift+F8', 'Take back the last typed phrase'],
  ['← →', 'In the preview: from word to word; Enter takes a word to the rules'],
];

/** Performs commands by their keys; Shift+F9 kills all rooms, as far as they are known. */
function useShortcuts(perform: Perform, rooms: readonly string[]): void {
  const actions = KEYS.flatMap(([key, , type]) => {
    const of = key === 'Shift+F9' && rooms.length > 0 ? rooms : undefined;
    return type ? [[key, () => perform({ type }, of)] as const] : [];
  });
  useKeys(Object.fromEntries(actions));
}

function Shortcuts() {
  return (
    <Section title="Keys" class="card">
      <dl class="keys">
        {KEYS.map(([key, effect]) => (
          <Fragment key={key}>
            <dt>{key}</dt>
            <dd>{effect}</dd>
          </Fragment>
        ))}
      </dl>
    </Section>
  );
}

render(<App />, document.getElementById('root')!);
