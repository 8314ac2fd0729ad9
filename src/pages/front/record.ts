import workletUrl from 'virtual:capture-worklet';
import { endWith, ignoreElements, map, merge, type Observable, Subject, scan, takeUntil, tap } from 'rxjs';
import { chunk } from '../../audio/chunk.ts';
import { level } from '../../audio/level.ts';
import { resample } from '../../audio/resample/resample.ts';
import type { SourceStatus } from '../../audio/source/reconnecting.ts';
import { browserMicrophone, displayAudio } from '../../browser/browserMicrophone.ts';
import { type BrowserTranscribeOptions, transcribe } from '../../browser/transcribe.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { emptyLiveTranscript, type LiveTranscript, mergeTranscript } from '../../transcript/merge/merge.ts';
import { pageUrl } from '../thisPage.ts';
import { createKeptAudio } from './keptAudio.ts';

/** A token, or a function that gets one for each connection. */
export type Token = BrowserTranscribeOptions['token'];

export type SoundSource = 'microphone' | 'display';

/** The state of a recording. */
export interface RecordingState {
  readonly live: LiveTranscript;
  /** Peak of the latest 100 ms, in dB relative to full scale. */
  readonly peakDb: number;
  readonly seconds: number;
  /** A sentence on the connection; empty while all is well. */
  readonly connection: string;
  /** A sentence on the microphone; empty while all is well. */
  readonly device: string;
}

const BEFORE: RecordingState = {
  live: emptyLiveTranscript,
  peakDb: Number.NEGATIVE_INFINITY,
  seconds: 0,
  connection: 'Starting …',
  device: '',
};

/** A recording that is transcribed while it is made. */
export interface Recording {
  /** Completes when all speech before {@link stop} has its final text. */
  readonly state$: Observable<RecordingState>;
  stop(): void;
  /** Returns the audio so far. */
  file(): File;
}

/** Records and transcribes, once `state$` is subscribed. The job of the stream has the name. */
export function record(source: SoundSource, name: string, token: Token): Recording {
  const kept = createKeptAudio();
  const stop$ = new Subject<void>();
  const changes$ = new Subject<Partial<RecordingState>>();
  const onStatus = ({ type, message }: SourceStatus) =>
    changes$.next({ device: type === 'back' || type === 'audible' ? '' : message });
  const open = source === 'microphone' ? browserMicrophone : displayAudio;
  const live = transcribe({ url: pageUrl('.').href, token, metadata: name });
  const text$ = open({ workletUrl, onStatus }).pipe(
    resample(),
    chunk(),
    level(({ peakDb }, { startFrame, sampleRate }) =>
      changes$.next({ peakDb, seconds: startFrame / sampleRate }),
    ),
    tap(kept.add),
    takeUntil(stop$),
    live,
    mergeTranscript(),
    map(transcript => ({ live: transcript })),
    tap({ finalize: () => changes$.complete() }),
  );
  const over$ = changes$.pipe(ignoreElements(), endWith(undefined));
  const connection$ = live.status$.pipe(map(connectionOf), takeUntil(over$));
  return {
    state$: merge(changes$, connection$, text$).pipe(
      scan((state, change) => ({ ...state, ...change }), BEFORE),
    ),
    stop: () => stop$.next(),
    file: () => kept.file(`${name}.wav`),
  };
}

function connectionOf({ type }: StreamStatus): Partial<RecordingState> {
  if (type === 'connecting') return { connection: 'Connecting …' };
  if (type === 'open') return { connection: 'Waiting for the recogniser. What you say is kept.' };
  if (type === 'reconnecting')
    return { connection: 'The connection is lost. What you say is kept and sent later.' };
  if (type === 'draining') return { connection: 'Waiting for the last words …' };
  return type === 'connected' ? { connection: '' } : {};
}
