/** Returns the code of an error of the client: a close code, a status of a request, or -1. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}
