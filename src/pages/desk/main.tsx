import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { DeskSessionJson } from '../../protocol/desk.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { loadText, saveText } from '../stored.ts';
import { systemTheme } from '../thisPage.ts';
import { useWindowEvents } from '../useWindowEvents.ts';
import { createDeskApi } from './api.ts';
import { DeskContext, useDesk } from './desk.ts';
import type { CallError } from './editor/calls.ts';
import { clearPast } from './editor/storedPast.ts';
import { HelpDialog } from './HelpDialog.tsx';
import type { Handlers } from './keys/actions.ts';
import { type KeyChoices, readKeyChoices } from './keys/bindings.ts';
import { KeysDialog } from './keys/KeysDialog.tsx';
import { useKeys } from './keys/useKeys.ts';
import { LogIn } from './LogIn.tsx';
import { Admin } from './queue/Admin.tsx';
import { Queue } from './queue/Queue.tsx';
import { NO_FILTER } from './queue/queueRows.ts';
import { SettingsDialog } from './SettingsDialog.tsx';
import { addressOf, readScreen, type Screen } from './screen.ts';
import { type DeskSettings, loadSettings, saveSettings } from './settings.ts';
import { EditorScreen } from './work/EditorScreen.tsx';

/** Name of the stored keys. */
const KEYS = 'rxscribe.desk.keys';

type DialogName = 'help' | 'keys' | 'settings';

function App() {
  const { api, session, isAsking, logIns, setSession } = useSession();
  const { settings, changeSettings } = useSettings();
  const [choices, setChoices] = useState(() => readKeyChoices(loadText(KEYS)));
  const [dialog, setDialog] = useState<DialogName>();
  const changeKeys = (next: KeyChoices) => {
    saveText(KEYS, Object.keys(next).length === 0 ? '' : JSON.stringify(next));
    setChoices(next);
  };
  if (!session && !isAsking) return <p class="starting">Loading …</p>;
  if (!session) {
    return (
      <main class="entrance">
        <h1>Transcription desk</h1>
        <LogIn api={api} onSession={setSession} />
      </main>
    );
  }
  const handlers: Handlers = {
    help: () => setDialog('help'),
    keys: () => setDialog('keys'),
    settings: () => setDialog('settings'),
  };
  const close = () => setDialog(undefined);
  return (
    <DeskContext value={{ api, session, logIns, settings, changeSettings, choices, changeKeys, handlers }}>
      <Screens setSession={setSession} />
      {isAsking && (
        <Dialog title="Log in again">
          <p>Your session has ended. Your text is still here.</p>
          <LogIn api={api} onSession={setSession} name={session.name} />
        </Dialog>
      )}
      {dialog === 'help' && <HelpDialog onClose={close} />}
      {dialog === 'keys' && <KeysDialog onClose={close} />}
      {dialog === 'settings' && <SettingsDialog onClose={close} />}
    </DeskContext>
  );
}

/** The person who is logged in. */
function useSession() {
  const [session, setSession] = useState<DeskSessionJson>();
  const [isAsking, setAsking] = useState(false);
  const [logIns, setLogIns] = useState(0);
  const api = useMemo(() => createDeskApi(() => setAsking(true)), []);
  useEffect(() => {
    api.readSession().then(setSession, () => setAsking(true));
  }, [api]);
  const enter = (next: DeskSessionJson | undefined) => {
    setSession(next);
    setAsking(!next);
    if (next) setLogIns(count => count + 1);
  };
  return { api, session, isAsking, logIns, setSession: enter };
}

function useSettings() {
  const [settings, setSettings] = useState(loadSettings);
  // Before the effects that read colours.
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = settings.theme === 'auto' ? systemTheme() : settings.theme;
    root.style.setProperty('--size', `${settings.fontSize}px`);
    saveSettings(settings);
  }, [settings]);
  const changeSettings = (changes: Partial<DeskSettings>) =>
    setSettings(before => ({ ...before, ...changes }));
  return { settings, changeSettings };
}

/** The screen of the address, which changes with it. */
function Screens({ setSession }: { readonly setSession: (session: DeskSessionJson | undefined) => void }) {
  const { api, session } = useDesk();
  const [screen, setScreen] = useState(() => readScreen(location.hash));
  useWindowEvents({ hashchange: () => setScreen(readScreen(location.hash)) });
  const [sentence, setSentence] = useState('');
  const [filter, setFilter] = useState(NO_FILTER);
  const open = (next: Screen, text = '') => {
    setSentence(text);
    location.hash = addressOf(next);
  };
  useEffect(() => {
    // Screen readers start at the heading after the log-in, and on each new screen.
    const heading = document.querySelector<HTMLElement>('.page h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus();
  }, [screen.name]);
  if (screen.name === 'job') {
    const { jobId } = screen;
    return <EditorScreen key={jobId} jobId={jobId} onLeave={text => open({ name: 'queue' }, text)} />;
  }
  const logOut = () => {
    clearPast(sessionStorage);
    api.logOut().then(
      () => setSession(undefined),
      ({ status, message }: CallError) => (status === 401 ? setSession(undefined) : setSentence(message)),
    );
  };
  return (
    <div class="page">
      <TopBar screen={screen} logOut={logOut} />
      <p class="sentence" role="status">
        {sentence}
      </p>
      {screen.name === 'admin' && session.role === 'admin' ? (
        <Admin />
      ) : (
        <Queue filter={filter} onFilter={setFilter} onOpen={jobId => open({ name: 'job', jobId })} />
      )}
    </div>
  );
}

function TopBar({ screen, logOut }: { readonly screen: Screen; readonly logOut: () => void }) {
  const { session, handlers } = useDesk();
  useKeys({ handlers });
  const current = (name: Screen['name']) => (screen.name === name ? 'page' : undefined);
  return (
    <header class="top">
      <strong>Transcription desk</strong>
      {session.role === 'admin' && (
        <nav aria-label="Pages">
          <a href={addressOf({ name: 'queue' })} aria-current={current('queue')}>
            Queue
          </a>
          <a href={addressOf({ name: 'admin' })} aria-current={current('admin')}>
            Administration
          </a>
        </nav>
      )}
      <span class="person">{session.name}</span>
      <Button onClick={handlers.settings}>Settings</Button>
      <Button onClick={handlers.help}>Help</Button>
      <Button onClick={logOut}>Log out</Button>
    </header>
  );
}

render(<App />, document.getElementById('root')!);
