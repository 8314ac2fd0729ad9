/** Resolves with the first bytes of a body, at most as many as the limit; the rest is not read. */
export async function readBody(
  body: AsyncIterable<Uint8Array> | null | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    // Leaving the loop cancels the body.
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}
