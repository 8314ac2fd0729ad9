/** A handler of errors that a test does not expect. */
export function unexpected(error: unknown): never {
  throw error;
}
