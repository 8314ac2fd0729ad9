import type {
  DeskAudioJson,
  DeskChange,
  DeskConflict,
  DeskDraftJson,
  DeskEndingJson,
  DeskEventJson,
  DeskFiguresJson,
  DeskFinishedJson,
  DeskJobJson,
  DeskOpenJobJson,
  DeskPeaksJson,
  DeskProposalJson,
  DeskSavedJson,
  DeskSessionJson,
  DeskUserJson,
} from '../../protocol/desk.ts';
import { DESK_TOKEN_HEADER } from '../../protocol/limits.ts';
import { parseObject } from '../stored.ts';
import { pageUrl } from '../thisPage.ts';
import { CallError } from './editor/calls.ts';

const CALL_MS = 30_000;
/** The peaks of a long recording take longer than other answers. */
const PEAKS_MS = 120_000;

/** The calls of the desk. All reject with a {@link CallError}. */
export type DeskApi = ReturnType<typeof createDeskApi>;

interface CallOptions {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly isLogIn?: boolean;
}

type Call = <Answer>(method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** @param onLoggedOut called when a call needs a log-in */
export function createDeskApi(onLoggedOut: () => void) {
  const call = createCall(onLoggedOut);
  const of = (jobId: string, path = '') => `jobs/${encodeURIComponent(jobId)}${path}`;
  return {
    readSession: () => call<DeskSessionJson>('GET', 'session'),
    logIn: (name: string, password: string) =>
      call<DeskSessionJson>('POST', 'session', { body: { name, password }, isLogIn: true }),
    logOut: () => call<void>('DELETE', 'session'),
    readJobs: () => call<readonly DeskJobJson[]>('GET', 'jobs'),
    readJob: (jobId: string) => call<DeskOpenJobJson>('GET', of(jobId)),
    readDraft: (jobId: string) => call<DeskDraftJson>('GET', of(jobId, '/draft')),
    readMachine: (jobId: string) => call<DeskDraftJson>('GET', of(jobId, '/machine')),
    readPeaks: (jobId: string) => call<DeskPeaksJson>('GET', of(jobId, '/peaks'), { timeoutMs: PEAKS_MS }),
    saveDraft: (jobId: string, body: DeskChange) =>
      call<DeskSavedJson>('PATCH', of(jobId, '/draft'), { body }),
    claim: (jobId: string) => call<DeskJobJson>('POST', of(jobId, '/claim')),
    release: (jobId: string) => call<void>('POST', of(jobId, '/release')),
    async finish(jobId: string, revision: number): Promise<void> {
      const wait = () =>
        call<DeskEndingJson | undefined>('POST', of(jobId, '/finish'), { body: { revision } });
      // Each call waits for a while.
      while (await wait());
    },
    openAudio: (jobId: string) => call<DeskAudioJson>('POST', of(jobId, '/audio')),
    propose: (jobId: string, phrase: string) =>
      call<void>('POST', of(jobId, '/proposals'), { body: { phrase } }),
    readProposals: () => call<readonly DeskProposalJson[]>('GET', 'proposals'),
    readEvents: () => call<readonly DeskEventJson[]>('GET', 'events'),
    readFigures: () => call<DeskFiguresJson>('GET', 'figures'),
    readFinished: () => call<readonly DeskFinishedJson[]>('GET', 'finished'),
    readUsers: () => call<readonly DeskUserJson[]>('GET', 'users'),
  };
}

function createCall(onLoggedOut: () => void): Call {
  let token = '';
  const attempt: Call = async (method, path, { body, timeoutMs = CALL_MS } = {}) => {
    const headers = new Headers();
    if (method !== 'GET' && token !== '') headers.set(DESK_TOKEN_HEADER, token);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await send(path, { method, headers, body: JSON.stringify(body), signal });
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
      // Another tab has logged in meanwhile, and its session has another token.
      const before = token;
      await attempt('GET', 'session');
      if (token === before) throw error;
      return attempt(method, path, options);
    }
  };
}

async function send(path: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(pageUrl(`api/${path}`), { ...request, cache: 'no-store' });
    const text = await response.text();
    if (!response.ok) throw errorOf(response.status, text);
    return text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof CallError) throw cause;
    throw new CallError('The server cannot be reached.', { status: 0, cause });
  }
}

function errorOf(status: number, text: string): CallError {
  const { title, detail, current_value } = parseObject(text);
  const sentences = [title, detail].filter(part => typeof part === 'string' && part !== '');
  const conflict = status === 409 ? (current_value as DeskConflict) : undefined;
  return new CallError(sentences.join(' ') || `The server answered with status ${status}.`, {
    status,
    conflict,
  });
}
