import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { emptyLiveTranscript, type LiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { withText } from '../../transcript/model/eventText.ts';
import { accessToken, checkedTokenOption } from '../serviceAccess.ts';
import type { AbandonedSpool } from '../spool/spool.ts';
import { audioOfHole, type FallbackContext, type Hole, type Repairs } from '../stream/fallback.ts';
import type { StreamStatus } from '../stream/status.ts';
import { type AbandonedHoles, abandonedHoles } from './abandonedHoles.ts';
import { type AsyncFallbackOptions, fallbackSettings, jobsAddress, startRepairs } from './asyncFallback.ts';
import type { EarlierJob } from './holeRepairer.ts';
import { HolesRemainError } from './holeRepairs.ts';

export interface ResumeSpoolOptions extends Omit<AsyncFallbackOptions, 'asyncOnly' | 'marginSeconds'> {
  /** Access token, or a function that returns one, or a response with one. */
  readonly token: string | (() => string | Response | Promise<string | Response>);
  /** `human` has people transcribe the audio, which may take a day. Default: the machine of the service. */
  readonly transcriber?: 'human';
  /** Address of the service to use. Default: the addresses of the stream. */
  readonly url?: string | URL;
  /** Aborting ends the work and keeps the spool, which can be resumed again. */
  readonly signal?: AbortSignal;
  /** Default: the clock of the system. */
  readonly clock?: Clock;
  /** Called with new events, but not with those of the killed process. */
  readonly onEvent?: (event: LiveEvent) => void;
  /** The holes of the spool, when they are known already. Default: they are computed. */
  readonly left?: AbandonedHoles;
  readonly onStatus?: (status: StreamStatus) => void;
}

/** A transcript that was finished from a spool. */
export interface ResumedTranscript extends Disposable {
  readonly live: LiveTranscript;
  /** Holes that stay without text for good: their audio was dropped, or is gone. */
  readonly beyondRepair: readonly Hole[];
  /** The error of parts that are still missing, but may be repaired later; absent when there are none. */
  readonly failure?: HolesRemainError;
  /** Deletes the spool; to be called when the transcript is safe. Idempotent. */
  finish(): void;
  /** Keeps the spool for another resume. Idempotent; without effect after `finish`. */
  close(): void;
}

/**
 * Finishes the transcript of a killed process: all of its audio without text is transcribed by asynchronous jobs. Jobs that
 * it had submitted are awaited, not submitted again. When this process is killed as well, the next one continues from
 * there.
 *
 * This function owns the spool until it resolves; when it rejects, the spool is closed.
 *
 * @throws InvalidArgumentError for a missing service or invalid options; RxscribeError `store` when
 * the spool cannot be read or written; the signal's reason
 * @example
 * using resumed = await resumeSpool(readSpool('talk.spool'), { token });
 * await writeFile('talk.txt', writePlainText(resumed.live.transcript));
 * resumed.finish();
 */
export async function resumeSpool(
  spool: AbandonedSpool,
  options: ResumeSpoolOptions,
): Promise<ResumedTranscript> {
  try {
    return await resume(spool, options);
  } catch (error) {
    spool.close();
    throw error;
  }
}

async function resume(spool: AbandonedSpool, options: ResumeSpoolOptions): Promise<ResumedTranscript> {
  const { signal, onEvent } = namedOptions('ResumeSpoolOptions', options);
  signal?.throwIfAborted();
  const { killed, holes, earlierJobs, beyondRepair } = options.left ?? abandonedHoles(spool);
  const known = spool.notes.flatMap(note => (note.type === 'event' ? [note.event] : []));
  let live = emptyLiveTranscript;
  for (const event of known) live = mergeEvent(live, event);
  const emit = (event: LiveEvent) => {
    spool.note({ type: 'event', event });
    live = mergeEvent(live, event);
    repairs.observe(event);
    onEvent?.(withText(event));
  };
  const repairs = startRepairs(contextOf(spool, { options, holes, emit }), {
    ...fallbackSettings({ ...options, marginSeconds: spool.subject.marginSeconds }),
    transcriber: options.transcriber,
    // The paid work of a person is always awaited.
    earlierJobs: jobsAt(spool, options.url, earlierJobs).filter(
      ({ transcriber }) => transcriber === 'human' || options.transcriber === undefined,
    ),
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
      failure,
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

function contextOf(spool: AbandonedSpool, { options, holes, emit }: ContextParts): FallbackContext {
  const { path, subject, format, store, note } = spool;
  const { url, token, clock = systemClock, onStatus = () => {} } = options;
  const addresses = url === undefined ? subject.addresses : [url];
  if (addresses.length === 0 && holes.length > 0) {
    throw new InvalidArgumentError(`Cannot resume '${path}': it names no service. Set the option 'url'.`);
  }
  return {
    addresses: addresses.map(address => new URL(jobsAddress(address))),
    token: () => accessToken(checkedTokenOption(token)),
    query: subject.query,
    format,
    store,
    clock,
    emit,
    note,
    status: onStatus,
    spoolPath: path,
  };
}

/**
 * Returns the earlier jobs with the addresses to ask. A given address may be that of the same service, or of one that does not
 * know the jobs. Otherwise only the services of the stream are asked: the token is for them only.
 */
function jobsAt(
  { subject }: AbandonedSpool,
  url: ResumeSpoolOptions['url'],
  jobs: readonly EarlierJob[],
): readonly EarlierJob[] {
  if (url !== undefined) return jobs.map(job => ({ ...job, address: jobsAddress(url) }));
  const addresses = new Set(subject.addresses.map(jobsAddress));
  return jobs.filter(({ address }) => addresses.has(address));
}

/** Releases all audio that no hole needs. */
function keepOnly({ store, format, subject }: AbandonedSpool, holes: readonly Hole[]): void {
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
