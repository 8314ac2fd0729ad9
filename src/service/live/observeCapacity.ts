import type { Recognizer } from '../../engines/recognizer.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import type { Capacity } from './capacityMonitor.ts';

export interface StreamFigures {
  /** Returns the number of open sessions. */
  readonly sessions: () => number;
  readonly isDraining: () => boolean;
  readonly capacity: () => Capacity;
}

/** Reports the streams of a process and its capacity for more. Returns a function that ends this. */
export function observeStreams(
  { sessions, isDraining, capacity }: StreamFigures,
  instruments: Instruments,
): () => void {
  const names = ['streams', 'streamSlots', 'streamsFree', 'streamsQuick', 'streamLag'] as const;
  return instruments.observe([...names, 'engineLoad', 'engineBusy'], observe => {
    const { running, waiting, slots, free, costPerSecond, busy, lagMs, quick } = capacity();
    const drains = isDraining();
    observe('streams', drains ? 0 : running, { state: 'running' });
    observe('streams', drains ? 0 : waiting, { state: 'waiting' });
    observe('streams', drains ? sessions() : 0, { state: 'draining' });
    if (slots !== undefined) observe('streamSlots', slots);
    if (free !== undefined) observe('streamsFree', drains ? 0 : free);
    observe('streamsQuick', quick);
    observe('streamLag', lagMs / 1000);
    observe('engineLoad', costPerSecond);
    observe('engineBusy', busy);
  });
}

/** Reports the work and the faults of a recogniser, as far as it knows them. Returns a function that ends it. */
export function observeEngine(recognizer: Recognizer, instruments: Instruments): () => void {
  return instruments.observe(['engineProcessor', 'engineAudio', 'engineFailing'], observe => {
    observe('engineFailing', recognizer.fault?.() === undefined ? 0 : 1);
    const usage = recognizer.usage?.();
    if (!usage) return;
    for (const [kind, work] of [
      ['stream', usage.streamWork],
      ['recording', usage.recordingWork],
    ] as const) {
      observe('engineProcessor', work.processorSeconds, { kind });
      observe('engineAudio', work.audioSeconds, { kind });
    }
  });
}
