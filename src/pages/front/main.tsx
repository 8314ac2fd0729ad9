import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FrontPageJson } from '../../protocol/frontPage.ts';
import type { Account } from '../../protocol/jobs.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Problem } from '../fields.tsx';
import { keepToken, keptToken } from '../stored.ts';
import { TokenForm } from '../TokenForm.tsx';
import { systemTheme } from '../thisPage.ts';
import { clockText } from '../times.ts';
import { type Api, type ApiError, createApi, readFacts } from './api.ts';
import { Code } from './Code.tsx';
import { Jobs } from './Jobs.tsx';
import { type Result, ResultView } from './Result.tsx';
import { Speak } from './Speak.tsx';
import { Upload } from './Upload.tsx';

const TITLE = 'Speech service';
/** Name of the stored token. */
const KEY = 'rxscribe.front';
const REFUSED = 'The service does not accept this token.';

/** Credit from which on it is not shown: an owner's account begins with more, which nobody uses up. */
const ENDLESS_SECONDS = 100_000 * 3600;

/** Milliseconds between two attempts to reach a service that does not answer. */
const RETRY_MS = 3000;

function App() {
  const [facts, setFacts] = useState<FrontPageJson>();
  const [token, setToken] = useState(() => keptToken(KEY));
  const [problem, setProblem] = useState('');
  const read = () => void readFacts().then(setFacts, ({ message }: ApiError) => setProblem(message));
  useEffect(() => {
    if (facts) return;
    read();
    const timer = setInterval(read, RETRY_MS);
    return () => clearInterval(timer);
  }, [facts]);
  const enter = (next: string, reason = '') => {
    // Another text cannot be sent.
    const isToken = /^[\x21-\x7e]*$/.test(next);
    keepToken(KEY, isToken ? next : '');
    setToken(isToken ? next : '');
    setProblem(isToken ? reason : REFUSED);
  };
  const used = token || facts?.token || '';
  const latest = useRef({ token, used });
  latest.current = { token, used };
  const api = useMemo(() => {
    // A restarted service has a new token for this page.
    const refuse = () => (latest.current.token ? enter('', REFUSED) : read());
    return createApi(() => latest.current.used, refuse);
  }, []);
  const streamToken = async () => latest.current.token || (await readFacts()).token || '';
  const wasEntered = useRef(false);
  if (!facts) return problem ? <Problem text={problem} /> : <p class="starting">Loading …</p>;
  const form = <TokenForm problem={problem} onToken={enter} />;
  if (used === '' && !wasEntered.current) {
    return (
      <main class="entrance">
        <h1>{TITLE}</h1>
        {form}
      </main>
    );
  }
  return (
    <>
      {used === '' && <Dialog title="Log in again">{form}</Dialog>}
      <Front
        api={api}
        facts={facts}
        token={token}
        streamToken={streamToken}
        onEntered={() => {
          wasEntered.current = true;
        }}
      />
    </>
  );
}

/** Forgets the token and reloads the page. During a recording or an upload, the page first asks for confirmation. */
function logOut(): void {
  keepToken(KEY, '');
  location.reload();
}

interface FrontProps {
  readonly api: Api;
  readonly facts: FrontPageJson;
  /** Returns the token for a stream. */
  readonly streamToken: () => Promise<string>;
  /** The token that the person has given, if any. */
  readonly token: string;
  /** Called when the token was accepted. */
  readonly onEntered: () => void;
}

function Front({ api, facts, streamToken, token, onEntered }: FrontProps) {
  const [result, setResult] = useState<Result>();
  const [isRecording, setRecording] = useState(false);
  const [jobCount, setJobCount] = useState(0);
  const [account, setAccount] = useState<Account>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const show = (next: Account) => {
      setAccount(next);
      setProblem('');
      onEntered();
    };
    api.account().then(show, ({ message }: ApiError) => setProblem(message));
  }, [jobCount, token]);
  const noteJob = () => setJobCount(count => count + 1);
  // Only this page has the audio of its jobs, and the whole text of a recording with several connections.
  const kept = useRef(new Map<string, Partial<Result>>());
  const show = (next: Result) => {
    if (next.id) kept.current.set(next.id, next);
    setResult(next);
    noteJob();
  };
  return (
    <>
      <header class="top">
        <h1>{TITLE}</h1>
        <nav aria-label="Pages">
          {facts.desk && <a href="./desk">Desk</a>}
          <a href="./docs">API</a>
        </nav>
        {account && (
          <span class="hint account">
            {account.email}
            {account.balance_seconds < ENDLESS_SECONDS &&
              ` · ${creditText(account.balance_seconds)} of credit`}
          </span>
        )}
        {token !== '' && <Button onClick={logOut}>Log out</Button>}
      </header>
      <main>
        <Problem text={problem} />
        <div class="cards">
          {facts.streaming && <Speak token={streamToken} onRecording={setRecording} onResult={show} />}
          <Upload
            api={api}
            onSubmitted={(id, audio) => {
              kept.current.set(id, { name: audio.name, audio });
              noteJob();
            }}
            onResult={show}
          />
        </div>
        {result && <ResultView key={result.id ?? result.name} result={result} takesFocus={!isRecording} />}
        <Jobs
          api={api}
          change={jobCount}
          kept={kept.current}
          onResult={show}
          onRemoved={id => {
            kept.current.delete(id);
            if (result?.id === id) setResult(undefined);
          }}
        />
        <Code />
      </main>
    </>
  );
}

const creditText = (seconds: number) =>
  seconds < 36_000 ? clockText(seconds) : `${Math.floor(seconds / 3600).toLocaleString()} h`;

const followTheme = () => {
  document.documentElement.dataset.theme = systemTheme();
};
matchMedia('(prefers-color-scheme: light)').addEventListener('change', followTheme);
followTheme();
render(<App />, document.getElementById('root')!);
