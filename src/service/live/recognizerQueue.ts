import { RxscribeError } from '../../base/errors.ts';
import { withAbort, withTimeout } from '../../base/wait/withTimeout.ts';
import type { RecognizerSession, RecognizerSessionOptions } from '../../engines/recognizer.ts';
import { createWakeSignal, type WakeSignal } from '../lifecycle/wakeSignal.ts';
import { type CapacityMonitorOptions, createCapacityMonitor } from './capacityMonitor.ts';
import { createWaitingLine } from './waitingLine.ts';

/** Milliseconds between two attempts: measurements change, and other users of the recogniser free sessions unnoticed. */
const RECOGNIZER_RETRY_MS = 500;

export type RecognizerQueueOptions = Omit<CapacityMonitorOptions, 'counts'>;

export interface AcquireOptions {
  readonly accountId: string;
  /** Milliseconds to wait for a free session. */
  readonly waitMs: number;
  /** Aborting it leaves the queue. */
  readonly signal: AbortSignal;
}

/** Sessions of a recogniser with limited capacity. Accounts take turns; each is served in the order of its requests. */
export type RecognizerQueue = ReturnType<typeof createRecognizerQueue>;

/** A request for a session. */
interface Request {
  readonly accountId: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Codes for a recogniser without a free session, or one that opens none in time. */
const BUSY_CODES: ReadonlySet<string> = new Set(['unavailable', 'timeout']);

/** Creates a queue for the sessions of a recogniser. */
export function createRecognizerQueue(options: RecognizerQueueOptions) {
  const { clock } = options;
  /** The first is woken when a session may be free. */
  const waiting = createWaitingLine<WakeSignal>();
  const counts = () => ({ running: sessions.running, waiting: waiting.size });
  const monitor = createCapacityMonitor({ ...options, counts });
  const sessions = createSessions(options, { onChange: monitor.update, onFree: () => waiting.first?.wake() });

  async function open(
    session: RecognizerSessionOptions,
    request: Request,
  ): Promise<RecognizerSession | undefined> {
    return monitor.hasRoom() ? sessions.open(session, request) : undefined;
  }

  async function waitForSession(
    sessionOptions: RecognizerSessionOptions,
    request: Request,
  ): Promise<RecognizerSession | undefined> {
    const { accountId, deadlineMs, signal } = request;
    const place = createWakeSignal(clock);
    waiting.add(accountId, place);
    monitor.update();
    let served = false;
    try {
      while (clock.now() < deadlineMs) {
        await withAbort(place.woken(Math.min(RECOGNIZER_RETRY_MS, deadlineMs - clock.now())), signal);
        place.reset();
        if (waiting.first !== place) continue;
        const session = await open(sessionOptions, request);
        served = session !== undefined;
        if (session) return session;
      }
      return undefined;
    } finally {
      place.wake();
      waiting.remove(accountId, place, { served });
      monitor.update();
      waiting.first?.wake();
    }
  }

  return {
    /**
     * Resolves with a session of the recogniser; undefined when none became free in time.
     *
     * @throws the signal's reason; errors of the recogniser, except that no session is free
     */
    async acquire(sessionOptions: RecognizerSessionOptions, { accountId, waitMs, signal }: AcquireOptions) {
      const request = { accountId, deadlineMs: clock.now() + waitMs, signal };
      const session = waiting.size === 0 ? await open(sessionOptions, request) : undefined;
      return session ?? waitForSession(sessionOptions, request);
    },
    capacity: monitor.figures,
  };
}

interface SessionEvents {
  /** Called when the number of sessions has changed. */
  readonly onChange: () => void;
  /** Called when a session was closed. */
  readonly onFree: () => void;
}

/** Counts sessions of a recogniser from the attempt to open them. */
function createSessions({ recognizer, clock }: RecognizerQueueOptions, { onChange, onFree }: SessionEvents) {
  let running = 0;
  const add = (change: number) => {
    running += change;
    onChange();
  };

  function counted(session: RecognizerSession): RecognizerSession {
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= session.close().finally(() => {
        add(-1);
        onFree();
      });
      return closed;
    };
    return {
      results$: session.results$,
      write: samples => session.write(samples),
      flush: () => session.flush(),
      finish: () => session.finish(),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  async function open(
    options: RecognizerSessionOptions,
    { deadlineMs, signal }: Request,
  ): Promise<RecognizerSession | undefined> {
    add(1);
    const opening = recognizer.open(options).then(counted);
    opening.catch(() => add(-1));
    try {
      return await withTimeout(opening, { clock, timeoutMs: deadlineMs - clock.now(), signal });
    } catch (error) {
      // A session that opens later is not needed any more.
      opening.then(session => session.close()).catch(() => {});
      if (error instanceof RxscribeError && BUSY_CODES.has(error.code)) return undefined;
      throw error;
    }
  }

  return {
    get running() {
      return running;
    },
    open,
  };
}
