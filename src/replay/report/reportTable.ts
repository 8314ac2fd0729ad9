/** A table of a report, in any format. */
export interface ReportTable {
  readonly title: string;
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Row of all others together. Absent where they do not add up. */
  readonly last?: readonly string[];
  /** Number of the first columns, which have texts; the others have numbers. */
  readonly texts: number;
}
