/** One of the services that are compared. */
export interface ComparedService {
  /** As tables show it; unique. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** As reports show it: the address without query, or `embedded`. */
  readonly shownAs: string;
}
