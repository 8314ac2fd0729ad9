import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { emptyLiveTranscript, type LiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { accessToken } from '../serviceAccess.ts';
import type { LeftSpool } from '../spool/spool.ts';
import { audioOfHole, type FallbackContext, type Hole, type Repairs } from '../stream/fallback.ts';
import type { StreamStatus } from '../stream/status.ts';
import { type AsyncFallbackOptions, fallbackSettings } from './fallbackOptions.ts';
import type { EarlierJob } from './holeRepairer.ts';
import { HolesRemainError } from './holesRemainError.ts';
import { jobsAddress } from './jobsAddress.ts';
import { type LeftHoles, leftHoles } from './leftHoles.ts';
import { startRepairs } from './startRepairs.ts';

export interface ResumeSpoolOptions extends Omit<AsyncFallbackOptions, 'asyncOnly' | 'marginSeconds'> {
  /** Access token, or what gets one. */
  readonly token: string | (() => string | Promise<string>);
  /** The service that is to do it. Default: those of the stream. */
  readonly url?: string | URL;
  /** Aborting ends the work and leaves the spool, from which it can be resumed again. */
  readonly signal?: AbortSignal;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Called with what becomes known now: not with what the dead process knew. */
  readonly onEvent?: (event: LiveEvent) => void;
  /** What the spool has left to do, for whoever has asked for it already. Default: it is found out. */
  readonly left?: LeftHoles;
  readonly onStatus?: (status: StreamStatus) => void;
}

/** A transcript that was finished from a spool. */
export interface ResumedTranscript extends Disposable {
  readonly live: LiveTranscript;
  /** What stays without text for good: its audio was dropped, or is gone. */
  readonly beyondRepair: readonly Hole[];
  /** Why parts of it are still missing that may be had later, if any are. */
  readonly failure?: HolesRemainError;
  /** To be called when the transcript is safe: deletes the spool. Idempotent. */
  finish(): void;
  /** Leaves the spool to whoever resumes it again. Idempotent; nothing after `finish`. */
  close(): void;
}

/**
 * Finishes what a process that was killed has left: all its audio that has no text is transcribed by asynchronous jobs.
 * Jobs that it had submitted are awaited, not submitted again. When this process is killed as well, the next one goes on
 * where it was.
 *
 * The spool is this function's until it has resolved; when it rejects, the spool is closed.
 *
 * @throws InvalidArgumentError for a service that is missing or options that cannot be used; RxscribeError `store` when
 * the spool cannot be read or written; the signal's reason
 * @example
 * using resumed = await resumeSpool(readSpool('talk.spool'), { token });
 * await writeFile('talk.txt', writePlainText(resumed.live.transcript));
 * resumed.finish();
 */
export async function resumeSpool(spool: LeftSpool, options: ResumeSpoolOptions): Promise<ResumedTranscript> {
  try {
    return await resume(spool, options);
  } catch (error) {
    spool.close();
    throw error;
  }
}

async function resume(spool: LeftSpool, options: ResumeSpoolOptions): Promise<ResumedTranscript> {
  const { signal, onEvent } = options;
  signal?.throwIfAborted();
  const { killed, holes, earlierJobs, beyondRepair } = options.left ?? leftHoles(spool);
  const known = spool.notes.flatMap(note => (note.type === 'event' ? [note.event] : []));
  let live = emptyLiveTranscript;
  for (const event of known) live = mergeEvent(live, event);
  const emit = (event: LiveEvent) => {
    spool.note({ type: 'event', event });
    live = mergeEvent(live, event);
    repairs.observe(event);
    onEvent?.(event);
  };
  const repairs = startRepairs(contextOf(spool, { options, holes, emit }), {
    ...fallbackSettings({ ...options, marginSeconds: spool.subject.marginSeconds }),
    earlierJobs: jobsAt(spool, options.url, earlierJobs),
  });
  const stop = () => repairs.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (const event of known) repairs.observe(event);
    for (const event of killed) emit(event);
    keepOnly(spool, holes);
    for (const hole of holes) repairs.repair(hole);
    const failure = await failureOf(repairs);
    return {
      live,
      beyondRepair,
      ...(failure && { failure }),
      finish: () => spool.finish(),
      close: () => spool.close(),
      [Symbol.dispose]: () => spool.close(),
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    repairs.close();
  }
}

interface ContextParts {
  readonly options: ResumeSpoolOptions;
  readonly holes: readonly Hole[];
  readonly emit: (event: LiveEvent) => void;
}

function contextOf(spool: LeftSpool, { options, holes, emit }: ContextParts): FallbackContext {
  const { path, subject, format, store, note } = spool;
  const { url, token, clock = systemClock, onStatus = () => {} } = options;
  const addresses = url === undefined ? subject.addresses : [url];
  if (addresses.length === 0 && holes.length > 0) {
    throw new InvalidArgumentError(`resume ${path}: wanted the address of a service, found none in it`);
  }
  return {
    addresses: addresses.map(address => new URL(jobsAddress(address))),
    token: () => accessToken(token),
    query: subject.query,
    ...{ format, store, clock, emit, note, status: onStatus, spoolPath: path },
  };
}

/**
 * Under an address that was given there may be the same service, or one that does not know the jobs. Otherwise jobs are
 * asked for only where the stream was: the token is for nobody else.
 */
function jobsAt(
  { subject }: LeftSpool,
  url: ResumeSpoolOptions['url'],
  jobs: readonly EarlierJob[],
): readonly EarlierJob[] {
  if (url !== undefined) return jobs.map(job => ({ ...job, address: jobsAddress(url) }));
  const addresses = new Set(subject.addresses.map(jobsAddress));
  return jobs.filter(({ address }) => addresses.has(address));
}

/** What is not needed for a hole may be removed from the file. */
function keepOnly({ store, format, subject }: LeftSpool, holes: readonly Hole[]): void {
  const { marginSeconds } = subject;
  for (const hole of holes) store.keep(audioOfHole(hole, { marginSeconds, sampleRate: format.sampleRate }));
  store.release(store.headFrame);
}

async function failureOf(repairs: Repairs): Promise<HolesRemainError | undefined> {
  try {
    await repairs.done();
    return undefined;
  } catch (error) {
    if (error instanceof HolesRemainError) return error;
    throw error;
  }
}
