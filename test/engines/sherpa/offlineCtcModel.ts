import type { OnnxModel } from '../../helpers/onnxModel.ts';
import { hearing, librosaBand, MEL_BINS, SUBSAMPLING, TOKENS } from '../../helpers/toneModels.ts';

/** As {@link hearing} takes it, of the features that NeMo's models are given. */
const LOUD = -2;

/** A CTC model of whole utterances, as NeMo exports them. */
export function offlineCtcModel(): OnnxModel {
  return {
    inputs: [
      { name: 'audio_signal', type: 'float', shape: ['batch', MEL_BINS, 'frames'] },
      { name: 'length', type: 'int64', shape: ['batch'] },
    ],
    outputs: [{ name: 'logprobs', type: 'float', shape: ['batch', 'steps', TOKENS.length] }],
    nodes: [
      {
        op: 'Conv',
        inputs: ['audio_signal', 'weights', 'bias'],
        outputs: ['heard'],
        attributes: { strides: [SUBSAMPLING] },
      },
      { op: 'Transpose', inputs: ['heard'], outputs: ['steps'], attributes: { perm: [0, 2, 1] } },
      { op: 'LogSoftmax', inputs: ['steps'], outputs: ['logprobs'], attributes: { axis: 2 } },
    ],
    weights: hearing(librosaBand, LOUD),
    metadata: {
      model_type: 'EncDecCTCModelBPE',
      vocab_size: TOKENS.length,
      subsampling_factor: SUBSAMPLING,
      normalize_type: '',
    },
  };
}

/** The same, which fails on audio of fewer frames of 10 ms. */
export function offlineCtcModelFor({ leastFrames }: { readonly leastFrames: number }): OnnxModel {
  const model = offlineCtcModel();
  const [conv, ...others] = model.nodes;
  return {
    ...model,
    nodes: [
      { op: 'Gather', inputs: ['audio_signal', 'last'], outputs: ['frame'], attributes: { axis: 2 } },
      { op: 'Mul', inputs: ['frame', 'nothing'], outputs: ['silence'] },
      { op: 'Add', inputs: ['audio_signal', 'silence'], outputs: ['long_enough'] },
      { ...conv!, inputs: ['long_enough', ...conv!.inputs.slice(1)] },
      ...others,
    ],
    weights: [
      ...(model.weights ?? []),
      { name: 'last', type: 'int64', shape: [1], values: [leastFrames - 1] },
      { name: 'nothing', type: 'float', shape: [1], values: [0] },
    ],
  };
}
