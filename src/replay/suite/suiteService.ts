/** The service that audio is streamed to. */
export interface SuiteService {
  readonly url: string;
  readonly token: string;
  /** As reports show it: the address without query, or `embedded`. */
  readonly shownAs: string;
}
