/** Voices as directions, known again by how near they are. */
export interface KnownVoices {
  /**
   * The number of the voice that is nearest, from 0 in the order in which they were heard, or of a new one.
   *
   * @param seconds how much was heard of it
   */
  recognise(direction: Float32Array, seconds: number): number | undefined;
}

/** The cosine of the angle between two voices of one person: where sherpa-onnx cuts clusters. */
export const SAME_VOICE = 0.5;
/** Less than this is too little to know somebody new by. */
const NEW_SECONDS = 1.5;

/** @param most voices that there are; by default as many as are heard */
export function createKnownVoices(most = Number.POSITIVE_INFINITY): KnownVoices {
  const voices: Float64Array[] = [];
  return {
    recognise(direction, seconds) {
      const likeness = voices.map(voice => cosine(voice, direction));
      const best = likeness.indexOf(Math.max(...likeness));
      const isEnough = seconds >= NEW_SECONDS;
      if (voices.length < most && isEnough && !(likeness[best]! >= SAME_VOICE)) {
        voices.push(new Float64Array(direction.length));
        add(voices.at(-1)!, direction, seconds);
        return voices.length - 1;
      }
      if (best < 0) return undefined;
      if (isEnough) add(voices[best]!, direction, seconds);
      return best;
    },
  };
}

/** Every second counts the same, however long a direction is. */
function add(sum: Float64Array, direction: Float32Array, seconds: number): void {
  const scale = seconds / Math.hypot(...direction);
  for (const [index, value] of direction.entries()) sum[index]! += scale * value;
}

function cosine(one: Float64Array, other: Float32Array): number {
  const product = other.reduce((sum, value, index) => sum + value * one[index]!, 0);
  return product / (Math.hypot(...one) * Math.hypot(...other));
}
