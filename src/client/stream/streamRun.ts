import type { AudioBlock, PcmFormat } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import { type Gate, holdAll } from '../../flow/gate.ts';
import { accessToken } from '../serviceAccess.ts';
import type { Chunk } from '../spool/spool.ts';
import { createBlockChecker } from './audioBlocks.ts';
import type { Repairs } from './fallback.ts';
import { Journal } from './journal.ts';
import { connectLink, type LinkSocket } from './linkSocket.ts';
import type { StreamListener } from './liveOperator.ts';
import type { StreamEffect, StreamEnd, StreamEvent } from './machine/model.ts';
import { next, startOfStream } from './machine/next.ts';
import type { SocketEvent } from './platform.ts';
import type { StreamSettings } from './settings.ts';

export interface StreamRunOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  /** Gate of the demand. */
  readonly gate: Gate;
  readonly listener: StreamListener;
}

/**
 * A stream whose format is known: takes its blocks and events. A block that does not fit those before, or cannot be stored,
 * ends the stream.
 */
export type StreamRun = (entry: StreamEvent | AudioBlock) => void;

/** The objects that effects act on. */
interface Surroundings extends StreamRunOptions {
  readonly journal: Journal;
  readonly repairs: Repairs | undefined;
  readonly sockets: Map<number, LinkSocket>;
  readonly timers: ReturnType<typeof createTimers>;
  readonly emit: StreamListener;
  readonly put: (event: StreamEvent) => void;
  /** Holds these gates, and releases all others. */
  readonly hold: (gates: readonly Gate[]) => void;
}

/**
 * Runs the machine of a stream, and performs its effects. Events wait in a queue: what a subscriber does during a step is
 * processed after the step.
 *
 * @throws RxscribeError `store` when the spool cannot be opened
 */
export function startRun(options: StreamRunOptions): StreamRun {
  const { settings, format } = options;
  const checkedParts = createBlockChecker(format);
  const queue: (StreamEvent | AudioBlock)[] = [];
  let state = startOfStream(settings, format);
  let isRunning = false;
  /** The chunk that has just been stored, which is not read back. */
  let fresh: Chunk | undefined;

  const put: StreamRun = entry => {
    if ('samples' in entry) queue.push(...partsOf(entry));
    else queue.push(entry);
    if (isRunning) return;
    isRunning = true;
    try {
      for (let one = queue.shift(); one; one = queue.shift()) take(one);
    } finally {
      isRunning = false;
    }
  };
  function partsOf(block: AudioBlock): readonly (StreamEvent | AudioBlock)[] {
    try {
      return checkedParts(block);
    } catch (error) {
      return [{ type: 'fail', error }];
    }
  }
  function take(entry: StreamEvent | AudioBlock): void {
    if ('samples' in entry) write(entry);
    else advance(entry);
  }
  function write(part: AudioBlock): void {
    let chunk: Chunk;
    try {
      chunk = surroundings.journal.append(part);
    } catch (error) {
      // A part may come after the end: the closed journal then throws, and the machine ignores the event.
      advance({ type: 'fail', error });
      return;
    }
    // The bytes of the chunk are only valid in this step.
    const { startFrame, frames } = chunk;
    advance({ type: 'audio', startFrame, endFrame: startFrame + frames }, chunk);
  }
  function advance(event: StreamEvent, chunk?: Chunk): void {
    view.nowMs = settings.clock.now();
    fresh = chunk;
    const step = next(state, event, view);
    state = step.state;
    for (const effect of step.effects) perform(effect, surroundings);
  }
  const surroundings = surroundingsOf(options, put);
  const { journal, sockets } = surroundings;
  // One object for all steps: a new one for each block would cost more than the step itself.
  const view = {
    nowMs: 0,
    bufferedBytes: (link: number) => sockets.get(link)?.bufferedBytes ?? 0,
    soundFrames: (fromFrame: number, toFrame: number) => journal.soundFrames(fromFrame, toFrame),
    read(frame: number, maxFrames: number) {
      const isFresh = fresh?.startFrame === frame && fresh.frames <= maxFrames;
      return isFresh ? fresh : journal.read(frame, maxFrames);
    },
  };
  return put;
}

function surroundingsOf(options: StreamRunOptions, put: (event: StreamEvent) => void): Surroundings {
  const { settings, format, listener } = options;
  const emit: StreamListener = output => {
    // The journal comes first: what a subscriber has seen must survive the process.
    journal.record(output);
    if (output.type === 'transcript') repairs?.observe(output.event);
    listener(output);
  };
  const journal = new Journal({
    settings,
    format,
    onError: error => put({ type: 'fail', error }),
  });
  let repairs: Repairs | undefined;
  try {
    repairs = startRepairs(options, journal, emit);
  } catch (error) {
    journal.close();
    throw error;
  }
  let release = () => {};
  const hold = (gates: readonly Gate[]) => {
    release();
    release = gates.length > 0 ? holdAll(gates) : () => {};
  };
  const timers = createTimers(settings.clock, put);
  return { ...options, journal, repairs, sockets: new Map(), timers, emit, put, hold };
}

/** Starts the repair of holes, if there is a fallback. */
function startRepairs({ settings, format }: StreamRunOptions, journal: Journal, emit: StreamListener) {
  const { fallback, addresses, query, clock, spool, token } = settings;
  return fallback?.start({
    addresses,
    query,
    format,
    clock,
    store: journal.store,
    spoolPath: spool?.path,
    token: () => accessToken(token),
    emit: event => emit({ type: 'transcript', event }),
    status: status => emit({ type: 'status', status }),
    note: note => journal.note(note),
  });
}

type EffectOf<Type extends StreamEffect['type']> = Extract<StreamEffect, { type: Type }>;

function perform<Type extends StreamEffect['type']>(
  effect: EffectOf<Type>,
  surroundings: Surroundings,
): void {
  const one: (effect: EffectOf<Type>, surroundings: Surroundings) => void = EFFECTS[effect.type as Type];
  one(effect, surroundings);
}

const EFFECTS: {
  readonly [Type in StreamEffect['type']]: (effect: EffectOf<Type>, surroundings: Surroundings) => void;
} = {
  connect,
  send: ({ link, chunk, isMore }, { sockets }) => sockets.get(link)?.send(chunk, isMore),
  pad: ({ link, frames }, { sockets }) => sockets.get(link)?.pad(frames),
  sendEnd: ({ link }, { sockets }) => sockets.get(link)?.sendEnd(),
  ping: ({ link }, { sockets }) => sockets.get(link)?.ping(),
  disconnect: ({ link }, surroundings) => disconnect(link, surroundings),
  timer: (effect, { timers }) => timers.set(effect),
  hold({ gates }, { settings, gate, hold }) {
    const given = settings.gate ? [settings.gate] : [];
    hold({ none: [], given, all: [gate, ...given] }[gates]);
  },
  settled: ({ frame }, { journal }) => journal.settle(frame),
  release: ({ frame }, { journal }) => journal.release(frame),
  keep: ({ range }, { journal }) => journal.keep(range),
  repair: ({ hole }, { repairs }) => repairs?.repair(hole),
  query({ startFrame, query, isRefusal }, { settings, journal }) {
    const span = { startFrame, query };
    journal.note({ type: 'query', ...span });
    // The service of a replay refuses the query again.
    if (!isRefusal) settings.tap?.query(span);
  },
  finished: (_, { journal }) => journal.note({ type: 'ended', endFrame: journal.headFrame }),
  awaitRepairs: (_, surroundings) => awaitRepairs(surroundings),
  stop(_, surroundings) {
    for (const link of [...surroundings.sockets.keys()]) disconnect(link, surroundings);
    surroundings.timers.stop();
  },
  transcript: (effect, { emit }) => emit(effect),
  status: (effect, { emit }) => emit(effect),
  end: ({ how }, surroundings) => end(how, surroundings),
};

function connect({ link }: EffectOf<'connect'>, { settings, format, sockets, put }: Surroundings): void {
  const onEvent = (event: SocketEvent) => put({ ...event, link: link.id });
  sockets.set(link.id, connectLink(link, { settings, format, onEvent }));
}

function disconnect(link: number, { sockets, timers }: Surroundings): void {
  sockets.get(link)?.close();
  sockets.delete(link);
  timers.stop(link);
}

function awaitRepairs({ repairs, put }: Surroundings): void {
  if (!repairs) {
    put({ type: 'repaired' });
    return;
  }
  repairs.done().then(
    () => put({ type: 'repaired' }),
    error => put({ type: 'fail', error }),
  );
}

function end(how: StreamEnd, { journal, repairs, hold, emit, listener }: Surroundings): void {
  hold([]);
  repairs?.close();
  const failure = how === 'complete' ? journal.finish() : how === 'left' ? undefined : how;
  if (how !== 'complete') journal.close();
  if (failure) emit({ type: 'status', status: { type: 'failed', error: failure.error } });
  listener({ type: 'end', ...(failure && { failure }) });
}

/** Creates the timers of a stream and of its links. */
function createTimers(clock: Clock, put: (event: StreamEvent) => void) {
  const running = new Map<string, () => void>();
  const stopOne = (key: string) => {
    running.get(key)?.();
    running.delete(key);
  };
  return {
    /** Starts, restarts or stops a timer. */
    set({ timer, link, delayMs }: EffectOf<'timer'>) {
      const key = `${link ?? ''}:${timer}`;
      stopOne(key);
      if (delayMs === undefined) return;
      const type = link === undefined ? 'timeout' : 'expired';
      const event = { type, timer, link } as StreamEvent;
      const cancel = clock.schedule(delayMs, () => {
        running.delete(key);
        put(event);
      });
      running.set(key, cancel);
    },
    /** Stops all timers of a link; without one, all. */
    stop(link?: number) {
      for (const key of [...running.keys()]) {
        if (link === undefined || key.startsWith(`${link}:`)) stopOne(key);
      }
    },
  };
}
