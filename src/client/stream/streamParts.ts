import type { PcmFormat } from '../../audio/format/format.ts';
import type { Repairs } from './fallback.ts';
import { Journal } from './journal/journal.ts';
import { droppedWarning } from './journal/overflow.ts';
import type { StreamListener } from './liveOperator.ts';
import type { StreamSettings } from './settings.ts';

/** The parts of a stream whose format is known: the record of its audio, and the repair of holes. */
export interface StreamParts {
  readonly format: PcmFormat;
  readonly journal: Journal;
  readonly repairs: Repairs | undefined;
}

export interface StreamPartsOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly token: () => Promise<string>;
  readonly emit: StreamListener;
  /** Called when something cannot be written or read. */
  readonly onError: (error: unknown) => void;
}

/** Starts the parts of a stream, which announce holes and repairs as events. */
export function startParts({ settings, format, token, emit, onError }: StreamPartsOptions): StreamParts {
  const journal = new Journal({
    settings,
    format,
    onHole: (event, range) => {
      if (event.cause === 'dropped') {
        emit({ type: 'status', status: droppedWarning(range, format.sampleRate) });
      }
      emit({ type: 'transcript', event });
    },
    onWhole: hole => repairs?.repair(hole),
    onError,
  });
  const { fallback, addresses, query, clock, spool } = settings;
  let repairs: Repairs | undefined;
  try {
    repairs = fallback?.start({
      addresses,
      token,
      query,
      format,
      store: journal.store,
      clock,
      ...(spool && { spoolPath: spool.path }),
      emit: event => emit({ type: 'transcript', event }),
      status: status => emit({ type: 'status', status }),
      note: note => journal.note(note),
    });
  } catch (error) {
    journal.close();
    throw error;
  }
  return { format, journal, repairs };
}
