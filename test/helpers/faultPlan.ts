/** Time of a fault: the amount of a connection that has passed. The bytes of the handshake count. */
export interface FaultTrigger {
  readonly bytesUp?: number;
  readonly bytesDown?: number;
  /** Messages of text or bytes, as the service sends them. */
  readonly messagesDown?: number;
}

/** A fault of a connection. Up is towards the service, down towards the client. */
export type Fault =
  /** RST to both sides. */
  | { readonly kind: 'cut' }
  /** FIN to both sides. */
  | { readonly kind: 'end' }
  /** Blocks the connection in both directions, without a sign. */
  | { readonly kind: 'halfOpen' }
  | { readonly kind: 'swallowUp' }
  | { readonly kind: 'swallowDown' }
  /** From now on, all is so much later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** From now on, in each direction. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Holds what is sent meanwhile, towards the service or towards the client. */
  | { readonly kind: 'stallUp' | 'stallDown'; readonly ms: number }
  /** A close frame towards the client, then the end: after the handshake, behind a whole frame. */
  | { readonly kind: 'closeCode'; readonly code: number; readonly reason?: string }
  /** Passes the first half of the next frame down, then RST. */
  | { readonly kind: 'truncate' };

/** A fault in place of a connection: it is reset, or the handshake gets this answer. */
export type Rejection =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'httpStatus'; readonly status: number };

/** A fault and its moment; without one, at once. */
export type PlannedFault = Fault & { readonly after?: FaultTrigger };

/** Faults of one connection. */
export type ConnectionPlan = Rejection | readonly PlannedFault[];

/** Faults of one connection after the other; those after the last are left alone. */
export type FaultPlan = readonly ConnectionPlan[];
