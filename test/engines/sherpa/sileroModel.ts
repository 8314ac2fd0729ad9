import type { OnnxModel } from '../../helpers/onnxModel.ts';

/** A detector of voice with the inputs of silero's fourth version: what is loud enough is voice. */
export function sileroModel({ loud = 0.001 }: { readonly loud?: number } = {}): OnnxModel {
  const state = { type: 'float', shape: [2, 1, 64] } as const;
  return {
    inputs: [
      { name: 'input', type: 'float', shape: [1, 'samples'] },
      { name: 'sr', type: 'int64', shape: [1] },
      { name: 'h', ...state },
      { name: 'c', ...state },
    ],
    outputs: [
      { name: 'output', type: 'float', shape: [1, 1] },
      { name: 'hn', ...state },
      { name: 'cn', ...state },
    ],
    nodes: [
      { op: 'Mul', inputs: ['input', 'input'], outputs: ['powers'] },
      { op: 'ReduceMean', inputs: ['powers'], outputs: ['power'], attributes: { axes: [1] } },
      { op: 'Sub', inputs: ['power', 'loud'], outputs: ['beyond'] },
      { op: 'Mul', inputs: ['beyond', 'steep'], outputs: ['sure'] },
      { op: 'Sigmoid', inputs: ['sure'], outputs: ['output'] },
      { op: 'Identity', inputs: ['h'], outputs: ['hn'] },
      { op: 'Identity', inputs: ['c'], outputs: ['cn'] },
    ],
    weights: [
      { name: 'loud', type: 'float', shape: [1], values: [loud] },
      { name: 'steep', type: 'float', shape: [1], values: [1e5] },
    ],
  };
}
