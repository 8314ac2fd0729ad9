/** Returns the address of a path beside the page, without its query. */
export function pageUrl(path: string): URL {
  return new URL(path, document.baseURI.split(/[?#]/, 1)[0]);
}
