/** The waveform: minimum and maximum of stretches of equal length, from -127 to 127. */
export interface Peaks {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

/** Maximum number of stretches; the result has more than half as many, unless the audio is very short. */
export const MAX_COLUMNS = 4096;

const FIRST_FRAMES = 32;

/** Creates an accumulator of {@link Peaks} for audio of any length in constant memory. */
export function createPeaks() {
  let framesPerColumn = FIRST_FRAMES;
  let min: number[] = [];
  let max: number[] = [];
  let frames = 0;

  function merge(): void {
    min = pairs(min, Math.min);
    max = pairs(max, Math.max);
    framesPerColumn *= 2;
  }

  return {
    /** Adds samples of one channel, in order. */
    push(samples: Float32Array): void {
      for (const sample of samples) {
        let column = Math.floor(frames++ / framesPerColumn);
        if (column === MAX_COLUMNS) {
          merge();
          column = MAX_COLUMNS / 2;
        }
        min[column] = Math.min(min[column] ?? sample, sample);
        max[column] = Math.max(max[column] ?? sample, sample);
      }
    },
    peaks(): Peaks {
      const whole = (value: number) => Math.round(127 * Math.max(-1, Math.min(1, value)));
      return { min: min.map(whole), max: max.map(whole) };
    },
  };
}

function pairs(values: readonly number[], choose: (one: number, other: number) => number): number[] {
  return Array.from({ length: values.length / 2 }, (_, index) =>
    choose(values[2 * index]!, values[2 * index + 1]!),
  );
}
