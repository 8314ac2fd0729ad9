/** Samples in pieces of a length. */
export function* piecesOf(samples: Int16Array, length: number): Generator<Int16Array> {
  for (let at = 0; at < samples.length; at += length) yield samples.subarray(at, at + length);
}

/** Audio that fails after its first piece. */
export async function* brokenAudio(samples: Int16Array): AsyncGenerator<Int16Array> {
  yield samples;
  throw new Error('the audio broke off');
}

/** Audio that has no end, and aborts its reader after the first piece. */
export async function* abortingAudio(
  samples: Int16Array,
  controller: AbortController,
): AsyncGenerator<Int16Array> {
  yield samples;
  controller.abort(new Error('enough'));
  for (;;) yield samples;
}

/** Audio that aborts its reader after the first piece, and of which no more ever comes. */
export async function* stalledAudio(
  samples: Int16Array,
  controller: AbortController,
): AsyncGenerator<Int16Array> {
  yield samples;
  controller.abort(new Error('enough'));
  await new Promise(() => {});
}
