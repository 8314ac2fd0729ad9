import type {
  DeskAudioJson,
  DeskConflict,
  DeskDraftJson,
  DeskEndingJson,
  DeskEventJson,
  DeskJobJson,
  DeskOpenJobJson,
  DeskPeaksJson,
  DeskProposalJson,
  DeskSessionJson,
  DeskUserJson,
} from '../../protocol/desk.ts';
import { DESK_TOKEN_HEADER } from '../../protocol/limits.ts';
import { CallError, type DeskCalls } from './editor/calls.ts';

const CALL_MS = 30_000;
/** Alignment computes for longer than a call that reads. */
const ALIGN_MS = 120_000;

/** The calls of the desk. All reject with a {@link CallError}. */
export interface DeskApi extends DeskCalls {
  readSession(): Promise<DeskSessionJson>;
  logIn(name: string, password: string): Promise<DeskSessionJson>;
  logOut(): Promise<void>;
  readJobs(): Promise<readonly DeskJobJson[]>;
  readJob(jobId: string): Promise<DeskOpenJobJson>;
  readMachine(jobId: string): Promise<DeskDraftJson>;
  readPeaks(jobId: string): Promise<DeskPeaksJson>;
  claim(jobId: string): Promise<DeskJobJson>;
  release(jobId: string): Promise<void>;
  finish(jobId: string, revision: number): Promise<void>;
  openAudio(jobId: string): Promise<DeskAudioJson>;
  propose(jobId: string, phrase: string): Promise<void>;
  readProposals(): Promise<readonly DeskProposalJson[]>;
  readEvents(): Promise<readonly DeskEventJson[]>;
  readUsers(): Promise<readonly DeskUserJson[]>;
}

interface CallOptions {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly isLogIn?: boolean;
}

type Call = <Answer>(method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** @param onLoggedOut called when a call needs a log-in */
export function createDeskApi(onLoggedOut: () => void): DeskApi {
  const call = createCall(onLoggedOut);
  const of = (jobId: string, path = '') => `jobs/${encodeURIComponent(jobId)}${path}`;
  return {
    readSession: () => call('GET', 'session'),
    logIn: (name, password) => call('POST', 'session', { body: { name, password }, isLogIn: true }),
    logOut: () => call('DELETE', 'session'),
    readJobs: () => call('GET', 'jobs'),
    readJob: jobId => call('GET', of(jobId)),
    readDraft: jobId => call('GET', of(jobId, '/draft')),
    readMachine: jobId => call('GET', of(jobId, '/machine')),
    readPeaks: jobId => call('GET', of(jobId, '/peaks'), { timeoutMs: ALIGN_MS }),
    saveDraft: (jobId, body) => call('PATCH', of(jobId, '/draft'), { body }),
    align: (jobId, body) => call('POST', of(jobId, '/align'), { body, timeoutMs: ALIGN_MS }),
    claim: jobId => call('POST', of(jobId, '/claim')),
    release: jobId => call('POST', of(jobId, '/release')),
    async finish(jobId, revision) {
      const wait = () =>
        call<DeskEndingJson | undefined>('POST', of(jobId, '/finish'), { body: { revision } });
      // Each call waits for a while.
      while (await wait());
    },
    openAudio: jobId => call('POST', of(jobId, '/audio')),
    propose: (jobId, phrase) => call('POST', of(jobId, '/proposals'), { body: { phrase } }),
    readProposals: () => call('GET', 'proposals'),
    readEvents: () => call('GET', 'events'),
    readUsers: () => call('GET', 'users'),
  };
}

function createCall(onLoggedOut: () => void): Call {
  let token = '';
  const attempt: Call = async (method, path, options = {}) => {
    const answer = await send(method, path, options, token);
    if (path === 'session') token = (answer as DeskSessionJson | undefined)?.token ?? '';
    return answer as never;
  };
  return async (method, path, options = {}) => {
    try {
      return await attempt(method, path, options);
    } catch (error) {
      const { status } = error as CallError;
      if (status === 401 && !options.isLogIn) onLoggedOut();
      if (status !== 403 || method === 'GET') throw error;
      // Another tab has logged in since; its session has another token.
      const before = token;
      await attempt('GET', 'session');
      if (token === before) throw error;
      return attempt(method, path, options);
    }
  };
}

async function send(
  method: string,
  path: string,
  { body, timeoutMs = CALL_MS }: CallOptions,
  token: string,
): Promise<unknown> {
  const failed = (cause: unknown) => new CallError('The server cannot be reached.', { status: 0, cause });
  const response = await fetch(new URL(`api/${path}`, document.baseURI.split(/[?#]/, 1)[0]), {
    method,
    headers: {
      ...(method !== 'GET' && token !== '' && { [DESK_TOKEN_HEADER]: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
    cache: 'no-store',
    credentials: 'same-origin',
  }).catch(cause => {
    throw failed(cause);
  });
  const text = await response.text().catch(cause => {
    throw failed(cause);
  });
  if (!response.ok) throw errorOf(response.status, text);
  if (text === '') return undefined;
  const answer = parse(text);
  if (answer === undefined) throw failed(undefined);
  return answer;
}

function errorOf(status: number, text: string): CallError {
  const problem = parse(text) as { title?: unknown; detail?: unknown; current_value?: unknown } | undefined;
  const sentences = [problem?.title, problem?.detail].filter(part => typeof part === 'string' && part !== '');
  return new CallError(sentences.join(' ') || `The server answered with status ${status}.`, {
    status,
    ...(status === 409 && { conflict: problem?.current_value as DeskConflict }),
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
