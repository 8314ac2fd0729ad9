/** Returns the address of a path beside the page, without its query. */
export function pageUrl(path: string): URL {
  return new URL(path, document.baseURI.split(/[?#]/, 1)[0]);
}

/** Returns the nonce that the content-security policy of this page allows for style elements. */
export function styleNonce(): string {
  // The attribute is hidden from scripts; the property is not.
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Returns the theme that the person has chosen in the system. */
export const systemTheme = () => (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
