import { Subject, takeUntil } from 'rxjs';
import type { Clock } from '../../../../../src/base/clock.ts';
import { transcribe } from '../../../../../src/client/stream/transcribe.ts';
import { LOAD_AUDIO, type LoadService, repeatedSpeech, type Speech } from './loadSpeech.ts';
import { createLoopedWords, type WordCounts } from './loopedWords.ts';

/** Counts of all streams. */
export interface StreamCounts {
  /** Streams that ended normally. */
  ended: number;
  /** Connections that broke; the stream continued over another one. */
  broken: number;
  /** Words compared with those that the service found in the recordings alone. */
  readonly words: WordCounts;
}

export interface LoadStreamOptions {
  readonly service: LoadService;
  readonly speech: Speech;
  /** Block of the recording that comes first. */
  readonly firstBlock: number;
  readonly counts: StreamCounts;
  readonly clock: Clock;
  /** Seconds that the service may keep the result of the stream. */
  readonly deleteAfterSeconds: number;
  /** Returns a random number from 0 to 1 for the delays of reconnections. */
  readonly random: () => number;
  /** Seconds for which the service may be unreachable, at the start as well. */
  readonly outageSeconds: number;
}

/** A stream of a load. */
export interface LoadStream {
  /** Resolves at the end, with the error of a stream that failed. */
  readonly done: Promise<{ readonly error?: unknown }>;
  /** Ends the audio: the stream ends after its last final. */
  finish(): void;
  /** Ends the stream at once. */
  close(): void;
}

/** Starts a stream in real time, and counts its words and connections. */
export function startLoadStream(options: LoadStreamOptions): LoadStream {
  const { service, speech, firstBlock, counts, clock, deleteAfterSeconds, random, outageSeconds } = options;
  const offsetSeconds = (firstBlock * LOAD_AUDIO.blockMs) / 1000;
  const words = createLoopedWords(speech, offsetSeconds, more => {
    for (const name of Object.keys(more) as (keyof WordCounts)[]) counts.words[name] += more[name];
  });
  const finished$ = new Subject<void>();
  const { promise: done, resolve } = Promise.withResolvers<{ readonly error?: unknown }>();
  let blocks = 0;
  const live = transcribe({
    url: service.url,
    token: service.token,
    sampleRate: LOAD_AUDIO.sampleRate,
    clock,
    deleteAfterSeconds,
    resume: { giveUpAfterSeconds: outageSeconds, firstConnectionSeconds: outageSeconds, random },
  });
  const statuses = live.status$.subscribe(status => {
    if (status.type === 'reconnecting') counts.broken++;
  });
  const stream = repeatedSpeech(speech.blocks, { firstBlock, clock, onBlock: () => blocks++ })
    .pipe(takeUntil(finished$), live)
    .subscribe({
      next(event) {
        if (event.type === 'final') words.take(event);
      },
      error: error => resolve({ error: error ?? new Error('failed') }),
      complete() {
        counts.ended++;
        words.end((blocks * LOAD_AUDIO.blockMs) / 1000);
        resolve({});
      },
    });
  return {
    done,
    finish: () => finished$.next(),
    close() {
      stream.unsubscribe();
      statuses.unsubscribe();
      resolve({});
    },
  };
}
