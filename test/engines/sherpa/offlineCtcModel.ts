import { nodeIn, type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';
import { hearing, librosaBand, MEL_BINS, SUBSAMPLING, TOKENS } from '../../helpers/toneModels.ts';

/** As {@link hearing} takes it, of the features that NeMo's models are given. */
const LOUD = -2;

/** A CTC model of whole utterances, as NeMo exports them. */
export function offlineCtcModel(): OnnxModel {
  return {
    ...onnxGraph(`
      (float[batch, ${MEL_BINS}, frames] audio_signal, int64[batch] length)
        => (float[batch, steps, ${TOKENS.length}] logprobs)
      heard = Conv<strides = [${SUBSAMPLING}]>(audio_signal, weights, bias)
      steps = Transpose<perm = [0, 2, 1]>(heard)
      logprobs = LogSoftmax<axis = 2>(steps)
    `),
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
      nodeIn('frame = Gather<axis = 2>(audio_signal, last)'),
      nodeIn('silence = Mul(frame, nothing)'),
      nodeIn('long_enough = Add(audio_signal, silence)'),
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
