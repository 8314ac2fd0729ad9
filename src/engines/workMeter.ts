import type { CallTime } from './process/callTimes.ts';
import type { EngineWork, RecognizerUsage } from './recognizer.ts';

/** Kinds of sessions of a recogniser. */
export type SessionKind = 'stream' | 'recording';

/** Counts the work of a recogniser, for streams and recordings apart. */
export interface WorkMeter {
  /** Adds the time of calls; `yields` is true for work that becomes less when there are more streams. */
  spend(kind: SessionKind, time: CallTime, options?: { readonly yields?: boolean }): void;
  /** Adds audio that was recognised. */
  hear(kind: SessionKind, seconds: number): void;
  /** Returns the work so far. */
  workFor(kind: SessionKind): EngineWork;
}

export function createWorkMeter(): WorkMeter {
  const noWork = () => ({ processorSeconds: 0, decodingSeconds: 0, yieldingSeconds: 0, audioSeconds: 0 });
  const work = { stream: noWork(), recording: noWork() };
  return {
    spend(kind, { processorMs, elapsedMs }, { yields = false } = {}) {
      work[kind].processorSeconds += processorMs / 1000;
      work[kind].decodingSeconds += elapsedMs / 1000;
      if (yields) work[kind].yieldingSeconds += elapsedMs / 1000;
    },
    hear(kind, seconds) {
      work[kind].audioSeconds += seconds;
    },
    workFor: kind => ({ ...work[kind] }),
  };
}

/** Returns the work so far, and the lag of the session that has waited longest. */
export function measuredWork(
  meter: WorkMeter,
  sessions: Iterable<{ readonly lagMs: number }>,
): Pick<RecognizerUsage, 'streamWork' | 'recordingWork' | 'lagMs'> {
  return {
    streamWork: meter.workFor('stream'),
    recordingWork: meter.workFor('recording'),
    lagMs: Math.max(0, ...Array.from(sessions, ({ lagMs }) => lagMs)),
  };
}
