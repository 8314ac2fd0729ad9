import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';

/** A detector of voice with the inputs of silero's fourth version: what is loud enough is voice. */
export function sileroModel({ loud = 0.001 }: { readonly loud?: number } = {}): OnnxModel {
  return {
    ...onnxGraph(`
      (float[1, samples] input, int64[1] sr, float[2, 1, 64] h, float[2, 1, 64] c)
        => (float[1, 1] output, float[2, 1, 64] hn, float[2, 1, 64] cn)
      powers = Mul(input, input)
      power = ReduceMean<axes = [1]>(powers)
      beyond = Sub(power, loud)
      sure = Mul(beyond, steep)
      output = Sigmoid(sure)
      hn = Identity(h)
      cn = Identity(c)
    `),
    weights: [
      { name: 'loud', type: 'float', shape: [1], values: [loud] },
      { name: 'steep', type: 'float', shape: [1], values: [1e5] },
    ],
  };
}
