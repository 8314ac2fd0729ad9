/** A word of a final, and where it begins in seconds. */
export interface HeardWord {
  readonly value: string;
  readonly ts: number;
}
