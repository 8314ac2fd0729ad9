import { seeded } from '../../src/base/seeded.ts';
import { CLOSE } from '../../src/protocol/closeCodes.ts';
import { isBreak } from '../../src/replay/play/faults/connectionFaults.ts';
import type {
  FaultSchedule,
  PlannedPlayFault,
  PlayFault,
} from '../../src/replay/play/faults/faultSchedule.ts';

type RandomKind = Exclude<PlayFault['kind'], 'stall' | 'throttle'>;

interface RandomFaultLimits {
  /** Seconds of audio in which faults happen. Default 10. */
  readonly seconds?: number;
  /** Connections with faults. Default 3. */
  readonly connections?: number;
  /** Maximum number of faults per connection. Default 3. */
  readonly faults?: number;
  /** Longest delay in milliseconds. Default 1000. */
  readonly maxDelayMs?: number;
  /** Kinds of faults. Default: those after which a correct client still has every word once. */
  readonly kinds?: readonly RandomKind[];
}

/** Defaults of {@link RandomFaultLimits}. */
const RANDOM_FAULT_DEFAULTS = {
  seconds: 10,
  connections: 3,
  faults: 3,
  maxDelayMs: 1000,
  kinds: ['cut', 'half-open', 'delay', 'close', 'slow-start', 'refuse', 'http-status'],
} as const satisfies Required<RandomFaultLimits>;

/** Close codes after which a client may reconnect. */
const CLOSES = [CLOSE.shuttingDown, CLOSE.noInstance];

/**
 * Returns random faults, the same for the same seed and limits. Each connection has at most one that ends it.
 */
export function randomFaults(seed: number, limits: RandomFaultLimits = {}): FaultSchedule {
  const { connections, faults, kinds, seconds, maxDelayMs } = { ...RANDOM_FAULT_DEFAULTS, ...limits };
  const random = seeded(seed);
  const below = (end: number) => Math.floor(random() * end);
  const one = (): PlannedPlayFault => ({
    ...faultOf(kinds[below(kinds.length)]!, below, maxDelayMs),
    afterSeconds: below(seconds * 1000) / 1000,
  });
  return Array.from({ length: connections }, () => {
    const all = Array.from({ length: below(faults + 1) }, one);
    const firstBreak = all.find(isBreak);
    return all.filter(fault => !isBreak(fault) || fault === firstBreak);
  });
}

function faultOf(kind: RandomKind, below: (end: number) => number, maxDelayMs: number): PlayFault {
  switch (kind) {
    case 'delay':
      return { kind, ms: below(maxDelayMs), jitterMs: below(maxDelayMs) };
    case 'slow-start':
      return { kind, ms: below(maxDelayMs) };
    case 'reorder':
      return { kind, messages: 2 + below(4) };
    case 'close': {
      const { code, reason } = CLOSES[below(CLOSES.length)]!;
      return { kind, code, reason };
    }
    case 'http-status':
      return { kind, status: 502 + below(3) };
    default:
      return { kind };
  }
}
