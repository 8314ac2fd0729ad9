/** Least cosine between two directions of one voice, as in sherpa-onnx's clustering. */
export const SAME_VOICE = 0.5;
/** Seconds of speech needed for a new voice. */
const NEW_SECONDS = 1.5;

/**
 * Creates memory of voices as directions, recognised by the angle between them.
 *
 * @param most limit of voices; default: none
 */
export function createKnownVoices(most = Number.POSITIVE_INFINITY) {
  const voices: Float64Array[] = [];
  return {
    /**
     * Returns the number of the nearest voice, or of a new one, from 0 in order of appearance. Undefined for
     * too little of an unknown voice.
     *
     * @param seconds duration of the voice
     */
    recognise(direction: Float32Array, seconds: number) {
      const likeness = voices.map(voice => cosine(voice, direction));
      const best = likeness.indexOf(Math.max(...likeness));
      const isEnough = seconds >= NEW_SECONDS;
      const isKnown = best >= 0 && Math.max(...likeness) >= SAME_VOICE;
      if (voices.length < most && isEnough && !isKnown) {
        const voice = new Float64Array(direction.length);
        add(voice, direction, seconds);
        return voices.push(voice) - 1;
      }
      const voice = voices[best];
      if (!voice) return undefined;
      if (isEnough) add(voice, direction, seconds);
      return best;
    },
  };
}

/** Adds a direction weighted by seconds, independent of its length. */
function add(sum: Float64Array, direction: Float32Array, seconds: number): void {
  const scale = seconds / Math.hypot(...direction);
  for (const [index, value] of direction.entries()) sum[index]! += scale * value;
}

function cosine(one: Float64Array, other: Float32Array): number {
  const product = other.reduce((sum, value, index) => sum + value * one[index]!, 0);
  return product / (Math.hypot(...one) * Math.hypot(...other));
}
