import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { readBody } from '../../web/readBody.ts';
import {
  answerText,
  type HookTransport,
  jsonAnswer,
  type NumberedSentence,
  wireSentence,
} from './hookTransport.ts';

/** Maximum number of requests at the same time. */
const CONCURRENCY = 4;
/** Milliseconds before the second attempt. */
const RETRY_MS = 500;
/** Maximum number of bytes that are read of an answer. */
const MAX_ANSWER_BYTES = 65_536;

export interface HookAddressOptions {
  readonly url: URL;
  readonly token?: string;
  readonly language?: string;
  readonly clock: Clock;
}

/** Creates a transport that sends each sentence in a POST, and once more after a failure that may pass. */
export function hookAddress(options: HookAddressOptions): HookTransport {
  return {
    concurrency: CONCURRENCY,
    async ask(sentence, signal) {
      try {
        return await post(sentence, options, signal);
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error;
        await delay(RETRY_MS, { clock: options.clock, signal });
        return post(sentence, options, signal);
      }
    },
    close: async () => {},
  };
}

const PASSING: readonly string[] = ['unreachable', 'unavailable', 'too-many-requests'];

function mayPass(error: unknown): boolean {
  return error instanceof RxscribeError && PASSING.includes(error.code);
}

async function post(
  sentence: NumberedSentence,
  { url, token, language }: HookAddressOptions,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify(wireSentence(sentence, language));
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/plain',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  // The token is for this address only, so redirects are not followed.
  const asked = fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
  const answer = await asked.catch(cause => {
    signal.throwIfAborted();
    throw new RxscribeError('unreachable', `No connection to '${url.host}'.`, { cause });
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw statusError(url, answer.status);
  }
  const text = await wholeText(answer, url).catch(cause => {
    signal.throwIfAborted();
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError('unreachable', `The connection to '${url.host}' broke.`, { cause });
  });
  const isJson = /^application\/(\S+\+)?json\b/i.test(answer.headers.get('content-type') ?? '');
  return isJson ? jsonAnswer(parsed(text, url)) : answerText(text);
}

function statusError(url: URL, status: number): RxscribeError {
  const isBusy = status === 429 || status === 408;
  const code = isBusy ? 'too-many-requests' : status >= 500 ? 'unavailable' : 'bad-request';
  return new RxscribeError(code, `'${url.host}' answered with status ${status}.`);
}

async function wholeText(answer: Response, url: URL): Promise<string> {
  const bytes = await readBody(answer.body, MAX_ANSWER_BYTES + 1);
  if (bytes.length <= MAX_ANSWER_BYTES) return new TextDecoder().decode(bytes);
  throw new RxscribeError('protocol', `'${url.host}' answered with more than ${MAX_ANSWER_BYTES} bytes.`);
}

function parsed(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RxscribeError('protocol', `'${url.host}' answered with JSON that cannot be read.`, { cause });
  }
}
