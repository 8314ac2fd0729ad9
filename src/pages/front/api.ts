import type { FrontPageJson } from '../../protocol/frontPage.ts';
import { SPEECH_TO_TEXT_PREFIX } from '../../protocol/interfaceNames.ts';
import type { Account, Job } from '../../protocol/jobs.ts';
import { decodeTranscript, type TranscriptJson } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { parseObject } from '../stored.ts';
import { pageUrl } from '../thisPage.ts';

const CALL_MS = 30_000;
/** Jobs in the list of the page. */
const LISTED_JOBS = 12;

/** A call has failed; the message is a sentence for people. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function readFacts(): Promise<FrontPageJson> {
  return JSON.parse(await send('front.json', { method: 'POST' }));
}

/** The calls of the page, with a token. All reject with an {@link ApiError}. */
export type Api = ReturnType<typeof createApi>;

/**
 * @param tokenNow returns the token
 * @param onRefused called when it is refused
 */
export function createApi(tokenNow: () => string, onRefused: () => void) {
  const authorization = () => `Bearer ${tokenNow()}`;
  const refuse = (error: unknown): never => {
    if ((error as ApiError).status === 401) onRefused();
    throw error;
  };
  const call = (path: string, method = 'GET') =>
    send(path, { method, headers: { authorization: authorization() } }).catch(refuse);
  const jobPath = (id: string) => `${JOBS}/${encodeURIComponent(id)}`;
  return {
    account: async (): Promise<Account> => JSON.parse(await call(`${PREFIX}/account`)),
    jobs: async (): Promise<readonly Job[]> => JSON.parse(await call(`${JOBS}?limit=${LISTED_JOBS}`)),
    job: async (id: string): Promise<Job> => JSON.parse(await call(jobPath(id))),
    transcript: async (id: string): Promise<Transcript> =>
      decodeTranscript(JSON.parse(await call(`${jobPath(id)}/transcript`)) as TranscriptJson),
    remove: (id: string) => call(jobPath(id), 'DELETE'),
    /** @param onProgress called with the part that is sent, 0 to 1 */
    submit: (file: File, onProgress: (part: number) => void, signal: AbortSignal) =>
      upload(file, { authorization: authorization(), onProgress, signal }).catch(refuse),
  };
}

const PREFIX = SPEECH_TO_TEXT_PREFIX.slice(1);
const JOBS = `${PREFIX}/jobs`;
const UNREACHABLE = 'The service cannot be reached.';

async function send(path: string, request: RequestInit): Promise<string> {
  const signal = AbortSignal.timeout(CALL_MS);
  const response = await fetch(pageUrl(path), { ...request, cache: 'no-store', signal }).catch(() => {
    throw new ApiError(0, UNREACHABLE);
  });
  const text = await response.text().catch(() => '');
  if (!response.ok) throw errorOf(response.status, text);
  return text;
}

function errorOf(status: number, text: string): ApiError {
  const { title, detail } = parseObject(text);
  const parts = [title, detail].filter(part => typeof part === 'string' && part !== '');
  const sentences = parts.map(part => `${String(part).replace(/\.$/, '')}.`);
  return new ApiError(status, sentences.join(' ') || `The service answered with status ${status}.`);
}

interface UploadOptions {
  readonly authorization: string;
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/** Submits a job. `fetch` reports no progress of a body. */
function upload(file: File, { authorization, onProgress, signal }: UploadOptions): Promise<Job> {
  const { promise, resolve, reject } = Promise.withResolvers<Job>();
  const request = new XMLHttpRequest();
  request.open('POST', pageUrl(JOBS));
  request.setRequestHeader('authorization', authorization);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  request.onload = () => {
    if (request.status === 200) resolve(JSON.parse(request.responseText));
    else reject(errorOf(request.status, request.responseText));
  };
  request.onerror = () => reject(new ApiError(0, UNREACHABLE));
  request.onabort = () => reject(new ApiError(0, 'Cancelled.'));
  signal.addEventListener('abort', () => request.abort());
  const form = new FormData();
  form.append('media', file, file.name);
  request.send(form);
  return promise;
}
