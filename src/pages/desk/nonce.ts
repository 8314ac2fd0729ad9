/** Returns the nonce that the content-security policy of this page allows for style elements. */
export function styleNonce(): string {
  // The attribute is hidden from scripts; the property is not.
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
