import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { timeBetween } from '../process/callTimes.ts';
import { createRestartingWork, type RestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import { createWorkMeter, type SessionKind } from '../workMeter.ts';
import type { DecodedUtterance, DecodeRequest, MoonshineMethods, MoonshineSetup } from './child.ts';

/** Priorities in descending order: finals of streams, partials, recordings. */
const PRIORITIES = ['final', 'partial', 'recording'] as const;
export type DecodePriority = (typeof PRIORITIES)[number];

/** An utterance to decode. */
export interface DecodeWork {
  readonly priority: DecodePriority;
  /** Makes the request when its turn comes; undefined when it is no longer wanted. */
  readonly request: () => DecodeRequest | undefined;
  /** Phrases to favour. */
  readonly phrases?: PhraseList;
}

/** The phrases of a session, which a process learns before their first use. */
export interface PhraseList {
  readonly id: number;
  readonly phrases: readonly string[];
}

interface WaitingWork extends DecodeWork {
  readonly since: number;
  readonly answer: PromiseWithResolvers<DecodedUtterance | undefined>;
}

interface Slot {
  readonly process: RestartingWork<MoonshineMethods>;
  /** Ids of phrase lists. */
  readonly learnt: Set<number>;
  /** Priority of the work in progress; `loading` before the first. */
  doing: DecodePriority | 'loading' | undefined;
}

const TASK = 'recognise speech';
/** Number of streams of a process before another one starts: a process takes some 300 MB. */
const STREAMS_PER_PROCESS = 4;
/** Weight of the latest measurement in the mean duration of a partial. */
const NEWEST_SHARE = 0.2;
/** Share of the time of a process for partials, when several streams have speech: the rest is for finals and other work. */
export const PARTIALS_SHARE = 1 / 2;
/** Waiting time of finals above which no further stream is accepted, and from which new ones get those of the quick model. */
const MAX_FINAL_WAIT_MS = 1000;
/** Finals by which the second is decided: those of the last minute, at least and at most so many. */
const RECENT_MS = 60_000;
const [LEAST_RECENT, MOST_RECENT] = [20, 500];

/** A pool of processes with the model. Each decodes one utterance at a time, the most urgent first. */
export class DecoderPool {
  readonly meter = createWorkMeter();
  readonly #locate: () => Promise<MoonshineSetup>;
  readonly #maxProcesses: number;
  readonly #slots: Slot[] = [];
  #waiting: WaitingWork[] = [];
  #streams = 0;
  #lists = 0;
  #recordings = 0;
  #speaking = 0;
  #partialMs = 0;
  /** The last finals. */
  #finals: readonly { readonly atMs: number; readonly isLate: boolean }[] = [];
  #hasQuickModel = false;
  /** Pending start of a process. */
  #starting: Promise<void> | undefined;
  #closed = false;

  /** @param locate returns the setup of a process; called when the first one starts */
  constructor(locate: () => Promise<MoonshineSetup>, maxProcesses: number) {
    this.#locate = locate;
    this.#maxProcesses = maxProcesses;
  }

  /** Resolves when a process has loaded the model; starts one if there is none. */
  async warm(signal?: AbortSignal): Promise<void> {
    this.#requireOpen();
    if (this.#slots.some(({ doing }) => doing !== 'loading')) return;
    await withAbort(this.#start(), signal);
  }

  /**
   * Decodes an utterance. If its process ends, it is decoded again, once.
   *
   * @returns undefined when the request is no longer wanted
   * @throws RxscribeError `engine-missing`, `engine-failed`, `unavailable` when the pool is closed
   */
  decode(work: DecodeWork): Promise<DecodedUtterance | undefined> {
    const answer = Promise.withResolvers<DecodedUtterance | undefined>();
    if (this.#closed) return Promise.reject(closedError());
    this.#waiting.push({ ...work, since: performance.now(), answer });
    this.#next();
    return answer.promise;
  }

  /**
   * Counts a stream or a recording until the returned function is called. The counts decide on the number of
   * processes.
   */
  enter(kind: SessionKind): () => void {
    const count = (by: number) => {
      if (kind === 'stream') this.#streams += by;
      else this.#recordings += by;
    };
    count(1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      count(-1);
    };
  }

  /** Counts a stream with current speech until the returned function is called. */
  speak(): () => void {
    this.#speaking += 1;
    return () => {
      this.#speaking -= 1;
    };
  }

  /** Number of streams that are open or opening. */
  get streams(): number {
    return this.#streams;
  }

  /** Returns phrases for `decode()`, valid until `forget()`; undefined for none. */
  phraseList(phrases: readonly string[]): PhraseList | undefined {
    return phrases.length > 0 ? { id: this.#lists++, phrases } : undefined;
  }

  /** True when finals are late, so that the processes are overloaded. */
  get isBehind(): boolean {
    const first = this.#waiting.find(({ priority }) => priority === 'final');
    return first !== undefined && performance.now() - first.since > MAX_FINAL_WAIT_MS;
  }

  /** True when finals have been late for a minute, one in twenty at least, and the quick model would make them sooner. */
  get isSlow(): boolean {
    const recent = this.#finals.filter(({ atMs }) => performance.now() - atMs < RECENT_MS);
    const late = recent.filter(({ isLate }) => isLate);
    return this.#hasQuickModel && recent.length >= LEAST_RECENT && late.length > recent.length / 20;
  }

  /** True when no work is waiting. */
  get isReady(): boolean {
    return this.#waiting.length === 0;
  }

  /** Milliseconds between two partials of a stream. It grows with the load, before finals become late. */
  get partialIntervalMs(): number {
    const streamsPerSlot = this.#speaking / Math.max(1, this.#slots.length);
    return streamsPerSlot > 1 ? (this.#partialMs * streamsPerSlot) / PARTIALS_SHARE : 0;
  }

  /** Removes phrases from all processes. */
  forget(list: PhraseList | undefined): void {
    if (!list) return;
    const { id } = list;
    for (const slot of this.#slots) {
      if (slot.learnt.delete(id)) void slot.process.call('forget', [id]).catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(closedError());
    await Promise.all(this.#slots.map(({ process }) => process.close()));
  }

  #next(): void {
    this.#startMissing();
    for (const slot of this.#slots) {
      if (slot.doing !== undefined) continue;
      const work = this.#takeWork();
      if (!work) return;
      slot.doing = work.priority;
      void this.#run(slot, work);
    }
  }

  #takeWork(): WaitingWork | undefined {
    const busy = this.#slots.filter(({ doing }) => doing === 'recording').length;
    // A recording gets the last free process only when no stream would have to wait for it.
    const takesRecordings = this.#streams === 0 || this.#slots.length === 1 || busy < this.#slots.length - 1;
    const kinds = takesRecordings ? PRIORITIES : PRIORITIES.filter(kind => kind !== 'recording');
    for (const kind of kinds) {
      const index = this.#waiting.findIndex(({ priority }) => priority === kind);
      if (index >= 0) return this.#waiting.splice(index, 1)[0];
    }
    return undefined;
  }

  async #run(slot: Slot, work: WaitingWork): Promise<void> {
    try {
      work.answer.resolve(await this.#runOnce(slot, work));
    } catch (error) {
      work.answer.reject(this.#closed ? closedError() : error);
    } finally {
      slot.doing = undefined;
      this.#next();
    }
  }

  async #runOnce(slot: Slot, work: WaitingWork, isRetry = false): Promise<DecodedUtterance | undefined> {
    const request = work.request();
    if (!request) return undefined;
    const began = performance.now();
    const before = slot.process.time();
    try {
      await this.#teach(slot, work.phrases);
      const answer = await slot.process.call('decode', [{ ...request, phrases: work.phrases?.id }]);
      const nowMs = performance.now();
      if (work.priority === 'partial') this.#measured(nowMs - began);
      if (work.priority === 'final') {
        const isLate = nowMs - work.since > MAX_FINAL_WAIT_MS;
        this.#finals = [...this.#finals.slice(1 - MOST_RECENT), { atMs: nowMs, isLate }];
      }
      return answer;
    } catch (error) {
      const isCrash = error instanceof RxscribeError && error.code === 'engine-failed';
      if (isRetry || this.#closed || !isCrash) throw error;
      slot.learnt.clear();
      return this.#runOnce(slot, work, true);
    } finally {
      const kind = work.priority === 'recording' ? 'recording' : 'stream';
      const yields = work.priority === 'partial';
      this.meter.spend(kind, timeBetween(before, slot.process.time()), { yields });
    }
  }

  async #teach(slot: Slot, list: PhraseList | undefined): Promise<void> {
    if (!list || slot.learnt.has(list.id)) return;
    slot.learnt.add(list.id);
    await slot.process.call('learn', [list.id, list.phrases]);
  }

  #measured(ms: number): void {
    this.#partialMs += (this.#partialMs === 0 ? 1 : NEWEST_SHARE) * (ms - this.#partialMs);
  }

  /** Starts a process when more are needed. */
  #startMissing(): void {
    const forStreams = Math.ceil(this.#streams / STREAMS_PER_PROCESS);
    const wanted = this.#recordings > 0 ? this.#maxProcesses : Math.min(this.#maxProcesses, forStreams);
    if (this.#waiting.length === 0 || this.#slots.length >= Math.max(1, wanted)) return;
    // With other processes, these continue the work.
    this.#start().catch(error => this.#slots.length === 0 && this.#rejectAll(error));
  }

  /** Starts a process, one at a time. */
  #start(): Promise<void> {
    this.#starting ??= this.#startSlot().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startSlot(): Promise<void> {
    const setup = await this.#locate();
    this.#hasQuickModel = setup.partials !== undefined;
    this.#requireOpen();
    const learnt = new Set<number>();
    const start = () => startWork<MoonshineMethods>(entryBeside(import.meta, 'child'), { task: TASK, setup });
    const process = createRestartingWork(start, { onEnd: () => learnt.clear() });
    const slot: Slot = { process, learnt, doing: 'loading' };
    this.#slots.push(slot);
    try {
      // The first call returns when the model is loaded.
      await process.call('forget', [-1]);
    } catch (error) {
      this.#slots.splice(this.#slots.indexOf(slot), 1);
      await process.close();
      throw this.#closed ? closedError() : error;
    }
    slot.doing = undefined;
    this.#next();
  }

  #rejectAll(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { answer } of waiting) answer.reject(error);
  }

  #requireOpen(): void {
    if (this.#closed) throw closedError();
  }
}

function closedError(): RxscribeError {
  return new RxscribeError('unavailable', `Cannot ${TASK}: the engine is closed.`);
}
