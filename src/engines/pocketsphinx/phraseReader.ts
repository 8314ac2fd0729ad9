import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { PocketSphinxFiles } from './files.ts';
import type { FromPhraseThread, PhraseThreadData, ToPhraseThread } from './phraseThread.ts';
import type { PhraseFindings } from './phraseVocabulary.ts';

/**
 * Finds out what phrases mean for a decoder, in a thread of its own, which starts with the first phrases and stays: it
 * remembers how words are said. It takes some 80 MB, and as much again once a word had to be pronounced.
 */
export class PhraseReader {
  readonly #locate: () => Promise<PocketSphinxFiles>;
  readonly #waiting = new Map<number, PromiseWithResolvers<PhraseFindings>>();
  #thread: Worker | undefined;
  #asked = 0;
  #closed = false;

  /** @param locate finds the dictionary */
  constructor(locate: () => Promise<PocketSphinxFiles>) {
    this.#locate = locate;
  }

  /** @throws RxscribeError `engine-missing`, `engine-failed`, or `unavailable` when closed */
  async read(phrases: readonly string[]): Promise<PhraseFindings> {
    const { model } = await this.#locate();
    if (this.#closed) throw closed();
    this.#thread ??= this.#start(model.dictionary);
    const id = this.#asked++;
    const answer = Promise.withResolvers<PhraseFindings>();
    this.#waiting.set(id, answer);
    // Only while somebody waits does our own process stay alive for it.
    this.#thread.ref();
    this.#thread.postMessage({ id, phrases } satisfies ToPhraseThread);
    return answer.promise;
  }

  /** Ends the thread; what is still asked is `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#fail(closed());
    await this.#thread?.terminate();
  }

  #start(dictionary: string): Worker {
    const thread = new Worker(new URL(`./phraseThread${extname(import.meta.filename)}`, import.meta.url), {
      workerData: { dictionary } satisfies PhraseThreadData,
      // Flags and environment of our process are none of its business.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {},
      // Learning leaves much behind that dies young: collected soon, it takes 120 MB less.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    thread.on('message', (message: FromPhraseThread) => this.#onMessage(message));
    thread.on('error', error => {
      this.#thread = undefined;
      this.#fail(failed(messageOf(error)));
    });
    return thread;
  }

  #onMessage(message: FromPhraseThread): void {
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#thread?.unref();
    if ('findings' in message) answer?.resolve(message.findings);
    else answer?.reject(failed(message.failure));
  }

  #fail(error: RxscribeError): void {
    for (const answer of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
  }
}

function failed(why: string): RxscribeError {
  return new RxscribeError('engine-failed', `read phrases: ${why}`);
}

function closed(): RxscribeError {
  return new RxscribeError('unavailable', 'read phrases: the engine is closed');
}
