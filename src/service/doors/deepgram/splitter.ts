/** Creates a function that takes interleaved frames apart: it returns the bytes of each channel. Frames may be cut anywhere. */
export function createSplitter(
  channels: number,
  frameBytes: number,
): (audio: Uint8Array) => readonly Uint8Array[] {
  const width = frameBytes / channels;
  let rest: Uint8Array = new Uint8Array(0);
  return audio => {
    const bytes = Buffer.concat([rest, audio]);
    const frames = Math.floor(bytes.length / frameBytes);
    rest = bytes.subarray(frames * frameBytes);
    return Array.from({ length: channels }, (_, channel) => {
      const own = new Uint8Array(frames * width);
      for (let frame = 0; frame < frames; frame++) {
        const at = frame * frameBytes + channel * width;
        for (let byte = 0; byte < width; byte++) own[frame * width + byte] = bytes[at + byte]!;
      }
      return own;
    });
  };
}
