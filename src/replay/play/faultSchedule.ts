/**
 * When a fault happens: so much has passed on its connection, both where both are given; at once where neither is. It has
 * its place among the messages: what was to be said before still comes, however late.
 */
export interface FaultMoment {
  /** Audio received on the connection, in seconds. */
  readonly afterSeconds?: number;
  /** Messages sent on the connection. */
  readonly afterMessages?: number;
}

/** What a service that plays a cassette does wrong on one connection. */
export type PlayFault =
  /** TCP reset. */
  | { readonly kind: 'cut' }
  /** Nothing passes any more, pongs included, and nobody is told. */
  | { readonly kind: 'half-open' }
  /** Messages come so much later from then on, in order; `jitterMs` adds a random part. */
  | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number }
  /** From then on, so many messages come in an order shuffled by the seed. */
  | { readonly kind: 'reorder'; readonly messages: number }
  /** A message comes twice. */
  | { readonly kind: 'duplicate' }
  /** A message is left out. */
  | { readonly kind: 'drop' }
  /** The service closes. */
  | { readonly kind: 'close'; readonly code: number; readonly reason?: string }
  /** `connected` comes so much later: a recogniser must be found first. */
  | { readonly kind: 'slow-start'; readonly ms: number }
  /** The connection is reset before the handshake. */
  | { readonly kind: 'refuse' }
  /** The handshake gets this answer. */
  | { readonly kind: 'http-status'; readonly status: number };

export type PlannedPlayFault = PlayFault & FaultMoment;

/** Faults of the first connection, of the second, and so on; those behind the last are well. */
export type FaultSchedule = readonly (readonly PlannedPlayFault[])[];
