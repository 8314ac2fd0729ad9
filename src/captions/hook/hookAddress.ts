import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { askAddress } from '../outputs/captionAddress.ts';
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

/** Creates a transport that sends each sentence in a POST, and once more after a transient failure. */
export function hookAddress(options: HookAddressOptions): HookTransport {
  return {
    concurrency: CONCURRENCY,
    async ask(sentence, signal) {
      try {
        return await post(sentence, options, signal);
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
        await delay(RETRY_MS, { clock: options.clock, signal });
        return post(sentence, options, signal);
      }
    },
    close: async () => {},
  };
}

const TRANSIENT: readonly string[] = ['unreachable', 'unavailable', 'too-many-requests'];

function isTransient(error: unknown): boolean {
  return error instanceof RxscribeError && TRANSIENT.includes(error.code);
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
  // The token is for this address only, and redirects are not followed.
  const answer = await askAddress(url, { body, headers, maxBytes: MAX_ANSWER_BYTES + 1, signal });
  if (!answer.ok) throw statusError(url, answer.status);
  if (answer.bytes > MAX_ANSWER_BYTES) {
    throw new RxscribeError('protocol', `'${url.host}' answered with more than ${MAX_ANSWER_BYTES} bytes.`);
  }
  const isJson = /^application\/(\S+\+)?json\b/i.test(answer.type);
  if (!isJson) return answerText(answer.text);
  const json = jsonOf(answer.text);
  if (json !== undefined) return jsonAnswer(json);
  throw new RxscribeError('protocol', `'${url.host}' answered with JSON that cannot be read.`);
}

function statusError(url: URL, status: number): RxscribeError {
  const isBusy = status === 429 || status === 408;
  const code = isBusy ? 'too-many-requests' : status >= 500 ? 'unavailable' : 'bad-request';
  return new RxscribeError(code, `'${url.host}' answered with status ${status}.`);
}
