/** The reason that a connection failed for; a refused one to a name with several addresses has a code, but no message. */
export function networkCause(cause: Error): string {
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
