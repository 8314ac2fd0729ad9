import { onTestFinished } from 'vitest';
import type { PcmFormat } from '../../src/audio/format/format.ts';
import { secondsAt } from '../../src/audio/format/frameRange.ts';
import { type AsyncFallbackOptions, asyncFallback } from '../../src/client/fallback/asyncFallback.ts';
import { createReplayStore } from '../../src/client/spool/createReplayStore.ts';
import type { ReplayStore, SpoolNote } from '../../src/client/spool/spool.ts';
import {
  audioOfHole,
  type FallbackContext,
  type Hole,
  type Repairs,
} from '../../src/client/stream/fallback.ts';
import type { StreamStatus } from '../../src/client/stream/status.ts';
import type { FinalEvent, HoleCause, LiveEvent, RepairEvent } from '../../src/transcript/model/events.ts';
import type { TextElement } from '../../src/transcript/model/model.ts';
import { hurriedClock } from './hurriedClock.ts';
import { SCRIPTED_WINDOW_FRAMES, scriptedSpeech } from './scriptedRecognizer.ts';
import { SCRIPTED_RATE } from './scriptedWindows.ts';
import { TEST_TOKEN } from './testService.ts';

export const SCRIPTED_FORMAT: PcmFormat = { sampleFormat: 'S16LE', sampleRate: SCRIPTED_RATE, channels: 1 };

/** So many words one after the other, each once: what the scripted recogniser hears as `w1`, `w2` and so on. */
export const countedLevels = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);

/** A hole of whole windows of scripted speech. */
export function holeOf(
  fromWindow: number,
  toWindow: number,
  { startTs = 0, cause = 'gave-up' }: { readonly startTs?: number; readonly cause?: HoleCause } = {},
): Hole {
  const [startFrame, endFrame] = [fromWindow * SCRIPTED_WINDOW_FRAMES, toWindow * SCRIPTED_WINDOW_FRAMES];
  const ts = (frame: number) => secondsAt(frame, { ...SCRIPTED_FORMAT, startTs });
  return {
    startFrame,
    endFrame,
    query: {},
    event: { type: 'hole', cause, ts: ts(startFrame), endTs: ts(endFrame) },
  };
}

/** A final with a word for each of some windows, as a stream would have it. */
export function finalOf(levels: readonly number[], fromWindow: number, speaker?: number): FinalEvent {
  const elements = levels.flatMap((level, index) => {
    const ts = (fromWindow + index) / 10;
    const word: TextElement = { type: 'text', value: `w${level}`, ts, endTs: ts + 0.1, confidence: 1 };
    return index === 0 ? [word] : [{ type: 'punct', value: ' ' } as const, word];
  });
  const [ts, endTs] = [fromWindow / 10, (fromWindow + levels.length) / 10];
  return { type: 'final', ts, endTs, elements, ...(speaker !== undefined && { speaker }) };
}

/** Stores scripted speech, except for the windows of a gap. */
export function storeSpeech(
  store: Pick<ReplayStore, 'append'>,
  levels: readonly number[],
  [gapStart, gapEnd]: readonly [from: number, to: number] = [0, 0],
): void {
  const samples = scriptedSpeech(levels);
  const frames = SCRIPTED_WINDOW_FRAMES;
  for (const window of levels.keys()) {
    if (window >= gapStart && window < gapEnd) continue;
    const startFrame = window * frames;
    const part = samples.slice(startFrame, startFrame + frames);
    store.append({ startFrame, frames, bytes: new Uint8Array(part.buffer) });
  }
}

export interface RepairRunOptions
  extends Partial<Pick<FallbackContext, 'query' | 'token' | 'spoolPath' | 'clock'>> {
  readonly url: string | readonly string[];
  readonly levels: readonly number[];
  /** Windows that the source did not give. */
  readonly gap?: readonly [from: number, to: number];
  readonly fallback?: AsyncFallbackOptions;
}

/** Repairs of scripted speech under test, with all that they said. */
export interface RepairRun {
  readonly repairs: Repairs;
  readonly store: ReplayStore;
  readonly events: readonly RepairEvent[];
  readonly statuses: readonly StreamStatus[];
  readonly notes: readonly SpoolNote[];
  /** Events, in order. */
  readonly log: readonly string[];
  /** As a stream does with a hole that it finds: its audio is kept, and all before it is not needed otherwise. */
  declare(hole: Hole): void;
  observe(...events: readonly LiveEvent[]): void;
  /** Resolves with the first status of a type, past or to come. */
  status<Type extends StreamStatus['type']>(type: Type): Promise<Extract<StreamStatus, { type: Type }>>;
}

export function repairRun({
  url,
  levels,
  gap,
  fallback: options,
  query: given,
  ...rest
}: RepairRunOptions): RepairRun {
  const fallback = asyncFallback(options);
  const store = createReplayStore({ format: SCRIPTED_FORMAT, memorySeconds: 5 });
  storeSpeech(store, levels, gap);
  const events: RepairEvent[] = [];
  const statuses: StreamStatus[] = [];
  const notes: SpoolNote[] = [];
  const log: string[] = [];
  const watchers = new Set<() => void>();
  const query = { skipPostprocessing: true, ...given };
  const context: FallbackContext = {
    addresses: [url].flat().map(address => new URL(address)),
    token: async () => TEST_TOKEN,
    query,
    format: SCRIPTED_FORMAT,
    store,
    clock: hurriedClock,
    emit: event => {
      repairs.observe(event);
      events.push(event);
      log.push('emit');
    },
    status: status => {
      statuses.push(status);
      log.push(status.type);
      for (const look of watchers) look();
    },
    note: note => {
      notes.push(note);
      log.push(`note ${note.type}`);
    },
    ...rest,
  };
  const repairs = fallback.start(context);
  onTestFinished(() => {
    repairs.close();
    store.close();
  });
  return {
    ...{ repairs, store, events, statuses, notes, log },
    declare(hole) {
      store.keep(audioOfHole(hole, { ...SCRIPTED_FORMAT, ...fallback }));
      repairs.observe(hole.event);
      repairs.repair({ ...hole, query });
    },
    observe: (...all) => {
      for (const event of all) repairs.observe(event);
    },
    status: type =>
      new Promise(resolve => {
        const look = () => {
          const found = statuses.find(status => status.type === type);
          if (!found) return;
          watchers.delete(look);
          resolve(found as never);
        };
        watchers.add(look);
        look();
      }),
  };
}

/** Words of repairs, with the time of each. */
export function repairedWords(events: readonly RepairEvent[]): readonly (readonly [string, number])[] {
  return events
    .flatMap(({ monologues }) => monologues.flatMap(({ elements }) => elements))
    .flatMap(element => (element.type === 'text' ? [[element.value, element.ts!] as const] : []));
}
