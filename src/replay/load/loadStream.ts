import { Subject, takeUntil } from 'rxjs';
import type { StreamStatus } from '../../client/stream/status.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import { delaysOf } from '../measure/delays.ts';
import { DELAY_KINDS } from '../measure/quantiles.ts';
import type { Timed } from '../session/sessionRun.ts';
import { failureKind, type LoadMeter } from './loadFigures.ts';
import { LOAD_AUDIO, type LoadService, repeatedSpeech, type Speech } from './loadSpeech.ts';
import { createLoopedWords, type WordCounts } from './loopedWords.ts';

export interface LoadStreamOptions {
  readonly service: LoadService;
  readonly speech: Speech;
  /** Block of the recording that comes first. */
  readonly firstBlock: number;
  readonly meter: LoadMeter;
  readonly language?: string;
  /** Seconds that the service may keep the result of the stream. */
  readonly deleteAfterSeconds: number;
  /** Returns a random number from 0 to 1 for the delays of reconnections. */
  readonly random: () => number;
  /** Seconds for which the service may be unreachable, at the start as well. Default: 60, and 5 at the start. */
  readonly outageSeconds?: number;
}

/** A stream of a load. */
export interface LoadStream {
  /** Resolves at the end, with the error of a stream that failed. */
  readonly done: Promise<{ readonly error?: unknown }>;
  /** Reports the waiting time of the oldest spoken word without text. */
  reportLag(): void;
  /** Ends the audio: the stream ends after its last final. */
  finish(): void;
  /** Ends the stream at once. */
  close(): void;
}

/** Seconds for which a service may be unreachable before a stream fails. */
const GIVE_UP_AFTER_SECONDS = 60;

/** Starts a stream in real time, and reports its delays, words and connections to the meter. */
export function startLoadStream(options: LoadStreamOptions): LoadStream {
  const { service, speech, firstBlock, meter, language, deleteAfterSeconds, random, outageSeconds } = options;
  const { clock } = meter;
  const delays = createDelayMeter(meter);
  const offsetSeconds = (firstBlock * LOAD_AUDIO.blockMs) / 1000;
  const words = createLoopedWords(speech, offsetSeconds, counts =>
    meter.record(tally => addTo(tally.words, counts)),
  );
  const finished$ = new Subject<void>();
  const { promise: done, resolve } = Promise.withResolvers<{ readonly error?: unknown }>();
  const onBlock = (lateMs: number) => {
    meter.record(({ late }) => late.add(lateMs / 1000));
    delays.block();
  };
  const live = transcribe({
    url: service.url,
    token: service.token,
    sampleRate: LOAD_AUDIO.sampleRate,
    clock,
    deleteAfterSeconds,
    resume: {
      giveUpAfterSeconds: outageSeconds ?? GIVE_UP_AFTER_SECONDS,
      firstConnectionSeconds: outageSeconds,
      random,
    },
    language,
  });
  const connections = connectionMeter(meter);
  const end = (error?: unknown) => {
    if (error === undefined) {
      meter.record(({ streams }) => streams.ended++);
      words.end(delays.seconds);
    } else {
      const kind = connections.wasAccepted() ? 'failed' : 'refused';
      meter.record(({ streams }) => streams[kind].add(failureKind(error)));
    }
    resolve({ error });
  };
  const statuses = live.status$.subscribe(connections.take);
  const stream = repeatedSpeech(speech.blocks, { firstBlock, clock, onBlock })
    .pipe(takeUntil(finished$), live)
    .subscribe({
      next(event) {
        if (event.type !== 'partial' && event.type !== 'final') return;
        delays.take(event);
        words.take(event);
      },
      error: error => end(error ?? new Error('failed')),
      complete: () => end(),
    });
  return {
    done,
    reportLag: () => meter.recordSteady(({ lag }) => lag.add(words.lagSeconds(delays.seconds))),
    finish: () => finished$.next(),
    close() {
      stream.unsubscribe();
      statuses.unsubscribe();
      resolve({});
    },
  };
}

function addTo(words: WordCounts, more: WordCounts): void {
  for (const name of Object.keys(words) as (keyof WordCounts)[]) words[name] += more[name];
}

/** Partials of one utterance that are kept for its delays. */
const MAX_PARTIALS = 1000;
/** Blocks whose times are kept: ten minutes. */
const MAX_BLOCKS = 6000;

/** Creates the measurement of the delays of one stream, which keeps only what belongs to the utterance in progress. */
function createDelayMeter(meter: LoadMeter) {
  const { sampleRate, blockFrames } = LOAD_AUDIO;
  const { clock } = meter;
  let audio: Timed<{ readonly endFrame: number }>[] = [];
  let partials: Timed<PartialEvent>[] = [];
  let endFrame = 0;

  function report(final: FinalEvent): void {
    const events = [...partials, { atMs: clock.now(), value: final }];
    const samples = delaysOf({ events, audio, sampleRate, startTs: 0, speed: 1 });
    for (const name of DELAY_KINDS) {
      for (const { seconds } of samples[name]) meter.recordSteady(({ delay }) => delay[name].add(seconds));
    }
    partials = [];
    audio = audio.filter(({ value }) => value.endFrame >= final.endTs * sampleRate);
  }

  return {
    /** Seconds of audio so far. */
    get seconds() {
      return endFrame / sampleRate;
    },
    /** Counts a block that is spoken now. */
    block() {
      endFrame += blockFrames;
      audio.push({ atMs: clock.now(), value: { endFrame } });
      if (audio.length > MAX_BLOCKS) audio = audio.slice(-MAX_BLOCKS / 2);
    },
    take(event: PartialEvent | FinalEvent) {
      if (event.type === 'final') report(event);
      else if (partials.length < MAX_PARTIALS) partials.push({ atMs: clock.now(), value: event });
    },
  };
}

/** Reports the connections of one stream. */
function connectionMeter(meter: LoadMeter) {
  const { clock } = meter;
  let sinceMs = clock.now();
  let isAccepted = false;
  let wasAccepted = false;
  const waited = () => {
    const seconds = (clock.now() - sinceMs) / 1000;
    sinceMs = clock.now();
    return seconds;
  };
  return {
    wasAccepted: () => wasAccepted,
    take(status: StreamStatus): void {
      switch (status.type) {
        case 'connecting':
          meter.record(({ streams }) => streams.connections++);
          sinceMs = clock.now();
          isAccepted = false;
          break;
        case 'open': {
          const seconds = waited();
          meter.record(({ streams }) => streams.handshake.add(seconds));
          break;
        }
        case 'connected': {
          const seconds = waited();
          meter.record(({ streams }) => {
            streams.accepted++;
            streams.admission.add(seconds);
          });
          isAccepted = true;
          wasAccepted = true;
          break;
        }
        case 'reconnecting': {
          const kind = isAccepted ? 'broken' : 'refused';
          meter.record(({ streams }) => streams[kind].add(failureKind(status.error)));
          break;
        }
        case 'warning':
          meter.record(({ streams }) => streams.warnings.add(status.code));
      }
    },
  };
}
