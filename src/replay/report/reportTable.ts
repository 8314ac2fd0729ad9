/** A table of a report, in any format. */
export interface ReportTable {
  readonly title: string;
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of the first columns, which have texts; the others have numbers. */
  readonly texts: number;
}
