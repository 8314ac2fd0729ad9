import type { MoonshineDecoding } from '../../../src/engines/moonshine/model.ts';
import { END_TOKEN, START_TOKEN, VOCABULARY_SIZE } from '../../../src/engines/moonshine/tokens.ts';

export interface ScriptedDecoding extends MoonshineDecoding {
  /** The tokens of each beam of each step. */
  readonly steps: readonly (readonly (readonly number[])[])[];
}

/** Returns the logits of the tokens that may follow some tokens; those of all others are 0. */
export type Script = (tokens: readonly number[]) => Readonly<Record<number, number>>;

/** Above all others, whose logits are 0: a probability of some 0.99. */
const LOGIT = 15;
const HEADS = 2;

/** A script that finds these tokens likely, each in its place, and then the end. */
export function saying(says: readonly number[]): Script {
  return tokens => ({ [says[tokens.length] ?? END_TOKEN]: LOGIT });
}

/** A decoding by a script, with all attention of a token at the position of its place. */
export function scriptedDecoding(script: Script, positions = 100): ScriptedDecoding {
  const steps: (readonly (readonly number[])[])[] = [];
  /** The tokens of each beam, after the first token. */
  let paths: readonly (readonly number[])[] = [[]];

  function stepOf(path: readonly number[], given: readonly number[]) {
    const logProbabilities = new Float32Array(given.length * VOCABULARY_SIZE);
    const attention = Array.from({ length: HEADS }, () => new Float32Array(given.length * positions));
    const before = path.length - given.filter(token => token !== START_TOKEN).length;
    for (let row = 0; row < given.length; row++) {
      const place = before + row + (given[0] === START_TOKEN ? 0 : 1);
      const logits = Object.entries(script(path.slice(0, place)));
      const others = VOCABULARY_SIZE - logits.length;
      const sum = Math.log(logits.reduce((total, [, logit]) => total + Math.exp(logit), others));
      const from = row * VOCABULARY_SIZE;
      logProbabilities.fill(-sum, from, from + VOCABULARY_SIZE);
      for (const [token, logit] of logits) logProbabilities[from + Number(token)] = logit - sum;
      for (const head of attention) head[row * positions + (place % positions)] = 1;
    }
    return { logProbabilities, attention };
  }
  return {
    positions,
    steps,
    async step(beams, parents) {
      steps.push(beams);
      paths = beams.map((given, beam) => [
        ...(paths[parents?.[beam] ?? beam] ?? []),
        ...given.filter(token => token !== START_TOKEN),
      ]);
      return beams.map((given, beam) => stepOf(paths[beam] ?? [], given));
    },
    truncate(count) {
      paths = paths.map(path => path.slice(0, count - 1));
    },
    close: () => {},
  };
}
