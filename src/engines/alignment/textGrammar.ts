/** A step between two states, said or silent. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** What is said; silent without. */
  readonly label?: string;
  readonly probability: number;
}

/** What may be said: every way from one state to another. */
export interface Grammar {
  readonly states: number;
  readonly start: number;
  readonly end: number;
  readonly arcs: readonly Arc[];
}
