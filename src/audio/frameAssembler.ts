/** Makes whole frames of bytes that come in pieces of any size. */
export interface FrameAssembler {
  /** Bytes of an unfinished frame, waiting for the rest. */
  readonly pending: number;
  /** The whole frames so far. They may be a view of `bytes`, never of anything kept. */
  push(bytes: Uint8Array): Uint8Array;
}

/**
 * A frame assembler; the bytes of all its results are the bytes pushed, whatever the cuts.
 *
 * @example
 * const assembler = createFrameAssembler(bytesPerFrame(format));
 * for await (const bytes of stream) consume(decodePcm(assembler.push(bytes), format));
 */
export function createFrameAssembler(bytesPerFrame: number): FrameAssembler {
  let carry = new Uint8Array(0);
  return {
    get pending() {
      return carry.length;
    },
    push(bytes) {
      let joined = bytes;
      if (carry.length > 0) {
        joined = new Uint8Array(carry.length + bytes.length);
        joined.set(carry);
        joined.set(bytes, carry.length);
      }
      const whole = joined.length - (joined.length % bytesPerFrame);
      // A copy: the owner may write over its buffer. (`slice` of a Buffer makes none.)
      carry = new Uint8Array(joined.subarray(whole));
      return joined.subarray(0, whole);
    },
  };
}
