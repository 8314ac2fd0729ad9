import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FrontPageJson } from '../../protocol/frontPage.ts';
import type { Account } from '../../protocol/jobs.ts';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { keepToken, keptToken } from '../stored.ts';
import { TokenForm } from '../TokenForm.tsx';
import { systemTheme } from '../thisPage.ts';
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

function App() {
  const [facts, setFacts] = useState<FrontPageJson>();
  const [token, setToken] = useState(() => keptToken(KEY));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    readFacts().then(setFacts, ({ message }: ApiError) => setProblem(message));
  }, []);
  const enter = (next: string, reason = '') => {
    keepToken(KEY, next);
    setProblem(reason);
    setToken(next);
  };
  const used = token || facts?.token || '';
  const refuse = () => {
    if (token) enter('', REFUSED);
    // A service that has started again has another token for this page.
    else readFacts().then(setFacts, () => undefined);
  };
  const api = useMemo(() => createApi(used, refuse), [used]);
  if (!facts) return problem ? <Problem text={problem} /> : <p class="starting">Loading …</p>;
  if (used === '') return <TokenForm title={TITLE} problem={problem} onToken={enter} />;
  return <Front api={api} facts={facts} token={token} onLogOut={() => enter('')} />;
}

interface FrontProps {
  readonly api: Api;
  readonly facts: FrontPageJson;
  /** The token that a person has given; empty where the page needs none. */
  readonly token: string;
  readonly onLogOut: () => void;
}

/** Returns the token that the service has for this page now. */
const localToken = async () => (await readFacts()).token ?? '';

function Front({ api, facts, token, onLogOut }: FrontProps) {
  const [result, setResult] = useState<Result>();
  const [jobCount, setJobCount] = useState(0);
  const [account, setAccount] = useState<Account>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    api.account().then(setAccount, ({ message }: ApiError) => setProblem(message));
  }, [api, result]);
  const noteJob = () => setJobCount(count => count + 1);
  // Only this page has the audio of its jobs.
  const audio = useRef(new Map<string, Blob>());
  const show = (next: Result) => {
    if (next.id && next.audio) audio.current.set(next.id, next.audio);
    setResult({ ...next, audio: audio.current.get(next.id ?? '') ?? next.audio });
    noteJob();
  };
  return (
    <>
      <header class="top">
        <h1>{TITLE}</h1>
        <nav aria-label="Pages">
          {facts.desk && <a href="./desk">Desk</a>}
          <a href="./docs">Interface</a>
        </nav>
        {account && (
          <span class="hint account">
            {account.email} · {hoursText(account.balance_seconds)} of credit
          </span>
        )}
        {token !== '' && <Button onClick={onLogOut}>Log out</Button>}
      </header>
      <main>
        <Problem text={problem} />
        <div class="sources">
          {facts.streaming && (
            <Speak token={token || localToken} onBegin={() => setResult(undefined)} onResult={show} />
          )}
          <Upload api={api} onSubmitted={noteJob} onResult={show} />
        </div>
        {result && <ResultView key={result.id ?? result.name} result={result} />}
        <Jobs api={api} change={jobCount} onResult={show} />
        <Code />
      </main>
    </>
  );
}

const hoursText = (seconds: number) =>
  `${(seconds / 3600).toLocaleString(undefined, { maximumFractionDigits: 1 })} h`;

const followTheme = () => {
  document.documentElement.dataset.theme = systemTheme();
};
matchMedia('(prefers-color-scheme: light)').addEventListener('change', followTheme);
followTheme();
render(<App />, document.getElementById('root')!);
