/** When a fault happens: so much of a connection has passed. The bytes of the handshake count. */
export interface FaultTrigger {
  readonly bytesUp?: number;
  readonly bytesDown?: number;
  /** Of text or bytes, as the service sends them. */
  readonly messagesDown?: number;
}

/** What happens to a connection. Up is towards the service, down towards the client. */
export type Fault =
  /** RST to both sides. */
  | { readonly kind: 'cut' }
  /** FIN to both sides. */
  | { readonly kind: 'end' }
  /** Nothing passes any more, and nobody is told. */
  | { readonly kind: 'halfOpen' }
  | { readonly kind: 'swallowUp' }
  | { readonly kind: 'swallowDown' }
  /** From now on, all is so much later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** From now on, in each direction. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** A close frame towards the client, then the end: after the handshake, behind a whole frame. */
  | { readonly kind: 'closeCode'; readonly code: number; readonly reason?: string }
  /** Of the next frame down only the first half passes, then RST. */
  | { readonly kind: 'truncate' };

/** What happens instead of a connection: it is reset, or the handshake gets this answer. */
export type Rejection =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'httpStatus'; readonly status: number };

/** A fault and its moment; without one, at once. */
export type PlannedFault = Fault & { readonly after?: FaultTrigger };

/** What happens to one connection. */
export type ConnectionPlan = Rejection | readonly PlannedFault[];

/** What happens to one connection after the other; those behind the last are left alone. */
export type FaultPlan = readonly ConnectionPlan[];
