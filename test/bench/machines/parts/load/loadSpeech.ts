import { Observable } from 'rxjs';
import type { AudioBlock } from '../../../../../src/audio/format/format.ts';
import { blockSource } from '../../../../../src/audio/source/blockSource.ts';
import type { Clock } from '../../../../../src/base/clock.ts';
import { RxscribeError } from '../../../../../src/base/errors.ts';
import { transcribe } from '../../../../../src/client/stream/transcribe.ts';
import { forEachUntilAborted } from '../../../../../src/flow/forEachUntilAborted.ts';
import { fileAudio } from '../../../../../src/replay/session/fileAudio.ts';
import { observeSession } from '../../../../../src/replay/session/observeSession.ts';
import { wordKey, wordTokensOf } from '../../../../../src/transcript/text/tokens.ts';

/** The form in which load clients stream: one channel at 16 kHz in blocks of 100 ms. */
export const LOAD_AUDIO = {
  sampleRate: 16_000,
  blockFrames: 1600,
  /** Milliseconds of a block. */
  blockMs: 100,
  /** Silent blocks between two repetitions, which keep their utterances apart. */
  pauseBlocks: 15,
  /** Maximum seconds of a recording that are streamed: its audio is kept in memory. */
  maxSeconds: 600,
  /** Seconds of all recordings together. */
  maxTotalSeconds: 3600,
} as const;

/** A recording that clients stream again and again. */
export interface Recording {
  readonly path: string;
  /** Seconds of the whole file, as a job transcribes it. */
  readonly seconds: number;
  /** Blocks of a repetition, including the pause after it. */
  readonly blocks: readonly Float32Array[];
  /** True when only the first part is streamed. */
  readonly isCut: boolean;
}

/** An utterance that the service finds in a recording when it is streamed alone. */
export interface ExpectedUtterance {
  /** Seconds since the start of the recording. */
  readonly ts: number;
  readonly endTs: number;
  readonly words: readonly ExpectedWord[];
}

export interface ExpectedWord {
  readonly key: string;
  /** Seconds since the start of the recording. */
  readonly endTs: number;
}

/** A recording with the words that the service finds in it. */
export interface Speech extends Recording {
  readonly utterances: readonly ExpectedUtterance[];
}

/** Seconds of one repetition. */
export function repetitionSeconds({ blocks }: Pick<Recording, 'blocks'>): number {
  return (blocks.length * LOAD_AUDIO.blockMs) / 1000;
}

/**
 * Reads the audio of a file.
 *
 * @throws RxscribeError `audio-missing` and the like; the signal's reason
 */
export async function readRecording(
  path: string,
  options: { signal?: AbortSignal; onWarning?: (warning: { readonly message: string }) => void } = {},
): Promise<Recording> {
  const { blockFrames, maxSeconds, sampleRate, pauseBlocks } = LOAD_AUDIO;
  const maxBlocks = (maxSeconds * sampleRate) / blockFrames;
  const blocks: Float32Array[] = [];
  let frames = 0;
  const audio$ = fileAudio(path, { speed: 'max', onWarning: options.onWarning });
  await forEachUntilAborted(audio$, options.signal, ({ samples }) => {
    frames += samples.length;
    if (blocks.length < maxBlocks) blocks.push(fullBlock(samples));
  });
  const isCut = frames > maxBlocks * blockFrames;
  const silent = new Float32Array(blockFrames);
  return {
    path,
    seconds: frames / sampleRate,
    isCut,
    blocks: [...blocks, ...new Array<Float32Array>(pauseBlocks).fill(silent)],
  };
}

function fullBlock(samples: Float32Array): Float32Array {
  const block = new Float32Array(LOAD_AUDIO.blockFrames);
  block.set(samples);
  return block;
}

/** A service under load. */
export interface LoadService {
  readonly url: string;
  readonly token: string;
  readonly brand?: string;
}

export interface HearOptions {
  readonly service: LoadService;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Streams a recording once, as fast as the service takes it, and resolves with the words that the service finds.
 *
 * @throws ServiceError; RxscribeError `audio-empty` for a recording without words; the signal's reason
 */
export async function hearAlone(
  recording: Recording,
  { service, clock, signal }: HearOptions,
): Promise<Speech> {
  const live = transcribe({ ...service, clock, deleteAfterSeconds: 0 });
  const source$ = blockSource(() => onceOver(recording.blocks));
  const { events, failure } = await observeSession(source$, live, { speed: 'max', clock, signal });
  if (failure) throw failure;
  const utterances = events
    .flatMap(({ value }) => (value.type === 'final' ? [value] : []))
    .map(({ ts, endTs, elements }) => ({
      ts,
      endTs,
      words: wordTokensOf(elements).map(word => ({ key: wordKey(word.text), endTs: word.endTs ?? endTs })),
    }))
    .filter(({ words }) => words.length > 0);
  if (utterances.length > 0) return { ...recording, utterances };
  throw new RxscribeError(
    'audio-empty',
    `The service finds no words in '${recording.path}', so no delays can be measured. Use a recording of speech.`,
  );
}

async function* onceOver(blocks: readonly Float32Array[]): AsyncGenerator<AudioBlock> {
  for (const [index, samples] of blocks.entries()) yield blockAt(index, samples);
}

function blockAt(index: number, samples: Float32Array): AudioBlock {
  const { sampleRate, blockFrames } = LOAD_AUDIO;
  return { startFrame: index * blockFrames, sampleRate, channels: 1, samples };
}

export interface RepeatOptions {
  /** Block of the recording that comes first. */
  readonly firstBlock: number;
  readonly clock: Clock;
  /** Called before each block with the milliseconds by which it is late. */
  readonly onBlock: (lateMs: number) => void;
}

/**
 * Emits a recording again and again in real time: each block when its last frame is due, as `pace` does. Late blocks do
 * not move later ones.
 */
export function repeatedSpeech(
  blocks: readonly Float32Array[],
  { firstBlock, clock, onBlock }: RepeatOptions,
): Observable<AudioBlock> {
  return new Observable<AudioBlock>(subscriber => {
    const startMs = clock.now();
    let count = 0;
    let cancel: (() => void) | undefined;
    const emitDue = () => {
      while (!subscriber.closed) {
        const lateMs = clock.now() - (startMs + (count + 1) * LOAD_AUDIO.blockMs);
        if (lateMs < 0) {
          cancel = clock.schedule(-lateMs, emitDue);
          return;
        }
        onBlock(lateMs);
        subscriber.next(blockAt(count, blocks[(firstBlock + count) % blocks.length]!));
        count++;
      }
    };
    emitDue();
    return () => cancel?.();
  });
}
