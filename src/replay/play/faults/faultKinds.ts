/** Origin of faults: the service of a cassette, or a proxy before a service. */
export type FaultCarrier = 'play' | 'proxy';

/** Kinds of faults by their only carrier: no TCP connection loses messages, and a service of a cassette has no bytes to hold back. */
const CARRIERS = {
  cut: undefined,
  'half-open': undefined,
  delay: undefined,
  reorder: 'play',
  duplicate: 'play',
  drop: 'play',
  close: undefined,
  'slow-start': undefined,
  stall: 'proxy',
  throttle: 'proxy',
  refuse: undefined,
  'http-status': undefined,
} as const;

export type FaultKind = keyof typeof CARRIERS;

/** Returns the kinds of a carrier; all without one. */
export function faultKinds(carrier?: FaultCarrier): readonly FaultKind[] {
  const kinds = Object.keys(CARRIERS) as FaultKind[];
  return kinds.filter(kind => carrier === undefined || (CARRIERS[kind] ?? carrier) === carrier);
}
