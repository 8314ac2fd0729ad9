/** Origin of faults: the service of a cassette, or a proxy before a service. */
export type FaultCarrier = 'play' | 'proxy';

const KINDS = [
  ...(['cut', 'half-open', 'delay', 'reorder', 'duplicate', 'drop'] as const),
  ...(['close', 'slow-start', 'stall', 'throttle', 'refuse', 'http-status'] as const),
];

export type FaultKind = (typeof KINDS)[number];

/** Kinds of one carrier: no TCP connection loses messages, and a service of a cassette has no bytes to hold back. */
const ONLY: Partial<Record<FaultKind, FaultCarrier>> = {
  ...{ reorder: 'play', duplicate: 'play', drop: 'play' },
  ...{ stall: 'proxy', throttle: 'proxy' },
};

/** Returns the kinds of a carrier; all without one. */
export function faultKinds(carrier?: FaultCarrier): readonly FaultKind[] {
  return KINDS.filter(kind => carrier === undefined || (ONLY[kind] ?? carrier) === carrier);
}
