import pLimit, { type LimitFunction } from 'p-limit';
import { writeWav } from '../../audio/pcm/wav.ts';
import { fullJitterMs } from '../../base/backoff.ts';
import { delay } from '../../base/clock.ts';
import { type ErrorCode, InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { readBody } from '../../web/readBody.ts';
import { faultText } from '../models/requestFile.ts';
import { readAnswer, type TranscriptionAnswer } from './answer.ts';

export interface OpenAiServerOptions {
  /** Address of the interface, such as `http://gpu:8000/v1`. Plain http and private addresses are allowed. */
  readonly url: string;
  /** Key, sent as a bearer token. Default: none. */
  readonly key?: string | undefined;
  /** Name of the server's model. Default `whisper-1`. */
  readonly model?: string | undefined;
  /** Requests at a time. Default 8. */
  readonly maxRequests?: number | undefined;
}

/** Audio to transcribe. */
export interface TranscriptionRequest {
  /** Mono at 16 kHz. */
  readonly samples: Int16Array;
  /** ISO 639-1. Default: the server finds it. */
  readonly language?: string | undefined;
  /** Words to favour. */
  readonly prompt?: string | undefined;
  /** Milliseconds for which a failing request is repeated. 0 makes one attempt, and none when all requests are in use. */
  readonly retryMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A failure that may be temporary. */
class ServerFailure extends Error {
  /** Milliseconds after which the server wants to be asked again. */
  readonly afterMs: number | undefined;
  constructor(reason: string, afterMs?: number, options?: { readonly cause: unknown }) {
    super(reason, options);
    this.afterMs = afterMs;
  }
}

export const DEFAULT_REQUESTS = 8;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Time of one request: a slow machine takes as long as the utterance. */
const REQUEST_MS = 60_000;
const CHECK_MS = 5000;
const DEFAULT_MODEL = 'whisper-1';
const BACKOFF = { baseMs: 500, capMs: 8000 };
const MAX_AFTER_MS = 60_000;
const TEMPORARY = new Set([408, 409, 425, 429]);
const MAX_REASON = 200;

/** A server with OpenAI's `POST /v1/audio/transcriptions`. */
export class OpenAiServer {
  readonly #base: URL;
  readonly #options: OpenAiServerOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #turns: LimitFunction;
  #fault: string | undefined;
  #checkedMs = 0;

  /** @throws InvalidArgumentError for an address that is no http or https URL */
  constructor(options: OpenAiServerOptions) {
    const { url, key, maxRequests = DEFAULT_REQUESTS } = options;
    this.#base = addressOf(url);
    this.#options = options;
    this.#headers = { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
    this.#turns = pLimit(maxRequests);
  }

  /**
   * Resolves with the transcription of some audio.
   *
   * @throws RxscribeError `engine-failed`; the signal's reason
   */
  async transcribe(request: TranscriptionRequest): Promise<TranscriptionAnswer> {
    const { retryMs, signal } = request;
    const until = performance.now() + retryMs;
    if (retryMs === 0 && this.#turns.activeCount === this.#turns.concurrency)
      throw this.#failure('all requests are in use');
    for (let tries = 0; ; tries++) {
      const failed = await this.#turns(() => this.#attempt(request));
      if (!(failed instanceof ServerFailure)) return failed;
      const waitMs = failed.afterMs ?? fullJitterMs(tries, BACKOFF);
      if (performance.now() + waitMs >= until) throw this.#failure(failed.message, { cause: failed });
      await delay(waitMs, { signal });
    }
  }

  /** The reason of the last failure, until a request succeeds; while there is one, the server is checked again. */
  get fault(): string | undefined {
    if (this.#fault && performance.now() - this.#checkedMs > CHECK_MS) this.check().catch(() => {});
    return this.#fault;
  }

  /**
   * Resolves when the server answers and takes the key.
   *
   * @throws RxscribeError `unauthorized` for a wrong key, `unavailable`
   */
  async check(): Promise<void> {
    this.#checkedMs = performance.now();
    const init = {
      headers: this.#headers,
      signal: AbortSignal.timeout(CHECK_MS),
      redirect: 'manual',
    } as const;
    const answer = await fetch(new URL('models', this.#base), init).catch(reasonFor);
    this.#fault = typeof answer === 'string' ? answer : faultOfStatus(answer.status);
    if (typeof answer !== 'string') await answer.body?.cancel();
    if (!this.#fault) return;
    const isRefused = typeof answer !== 'string' && answer.status < 500;
    throw this.#failure(this.#fault, { code: isRefused ? 'unauthorized' : 'unavailable' });
  }

  /** Resolves with the answer, or with a failure that may be temporary. */
  async #attempt(request: TranscriptionRequest): Promise<TranscriptionAnswer | ServerFailure> {
    request.signal?.throwIfAborted();
    const late = AbortSignal.timeout(REQUEST_MS);
    const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
    try {
      const body = formOf(this.#options.model ?? DEFAULT_MODEL, request);
      const init = { method: 'POST', body, headers: this.#headers, signal, redirect: 'manual' } as const;
      const response = await fetch(new URL('audio/transcriptions', this.#base), init);
      const text = (await readBody(response.body, MAX_ANSWER_BYTES)).toString('utf8');
      if (!response.ok) return this.#refusal(response, text);
      this.#fault = undefined;
      return readAnswer(text) ?? new ServerFailure('the answer is no transcription');
    } catch (cause) {
      request.signal?.throwIfAborted();
      if (cause instanceof RxscribeError) throw cause;
      this.#fault = reasonFor(cause);
      return new ServerFailure(this.#fault, undefined, { cause });
    }
  }

  /** @throws RxscribeError `engine-failed` for a refusal that stays */
  #refusal({ status, headers }: Response, text: string): ServerFailure {
    const { key } = this.#options;
    this.#fault = faultOfStatus(status);
    // The server's own words may contain parts of the key.
    if (this.#fault && status < 500) throw this.#failure(this.#fault);
    const reason = `status ${status}${detailOf(key ? text.replaceAll(key, '…') : text)}`;
    if (status < 500 && !TEMPORARY.has(status)) throw this.#failure(reason);
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return new ServerFailure(reason, seconds >= 0 ? Math.min(seconds * 1000, MAX_AFTER_MS) : undefined);
  }

  #failure(reason: string, { code = 'engine-failed', cause }: FailureOptions = {}): RxscribeError {
    return new RxscribeError(code, `Cannot recognise speech by '${this.#base.host}': ${reason}.`, { cause });
  }
}

interface FailureOptions {
  readonly code?: ErrorCode;
  readonly cause?: unknown;
}

/** Returns the fault that a status shows of all requests; some servers have no list of models. */
function faultOfStatus(status: number): string | undefined {
  if (status === 401 || status === 403) return `it refuses the key (status ${status})`;
  return status >= 500 ? `status ${status}` : undefined;
}

function reasonFor(cause: unknown): string {
  return (cause as Error).name === 'TimeoutError' ? 'no answer' : faultText(cause);
}

function addressOf(text: string): URL {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url && isWeb && !url.username && !url.password && !url.search) return url;
  throw new InvalidArgumentError(
    'The address of an engine must be an http or https URL without user name, password and query.',
  );
}

function formOf(model: string, { samples, language, prompt }: TranscriptionRequest): FormData {
  const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1, interleaved: true } as const;
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const wav = [...writeWav(format, samples.length, [bytes]).bytes] as Uint8Array<ArrayBuffer>[];
  const form = new FormData();
  form.set('file', new Blob(wav, { type: 'audio/wav' }), 'speech.wav');
  form.set('model', model);
  form.set('response_format', 'verbose_json');
  form.append('timestamp_granularities[]', 'word');
  form.append('timestamp_granularities[]', 'segment');
  if (language) form.set('language', language);
  if (prompt) form.set('prompt', prompt);
  return form;
}

/** Returns the message of an error of OpenAI's interface, if there is one. */
function detailOf(text: string): string {
  try {
    const { error, detail } = JSON.parse(text) as { error?: { message?: unknown }; detail?: unknown };
    const message = error?.message ?? detail;
    return typeof message === 'string' ? `, ${oneLine(message).slice(0, MAX_REASON)}` : '';
  } catch {
    return '';
  }
}
