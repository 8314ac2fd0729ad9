import { RxscribeError } from '../../base/errors.ts';
import { MEL_COLUMNS, melSpectrogram } from './melSpectrogram.ts';
import {
  loadRuntime,
  type OnnxRuntime,
  type OnnxSession,
  type OnnxTensor,
  shapeOf,
  softmax,
} from './runtime.ts';
import type { WhisperSetup } from './whisperSetup.ts';

/** What Whisper makes of the beginning of a recording. */
export interface HeardLanguages {
  /** In the order of the model's languages; they sum to 1. */
  readonly probabilities: readonly number[];
  /** How likely nobody speaks. */
  readonly noSpeech: number;
}

/**
 * Has Whisper say the first token after `<|startoftranscript|>`, which tells the language (`detect_language` in
 * openai/whisper's decoding.py), of up to 30 s of audio at 16 kHz.
 */
export async function loadWhisperLanguages(
  setup: WhisperSetup,
): Promise<(audio: Int16Array) => Promise<HeardLanguages>> {
  const runtime = await loadRuntime();
  const encoder = await runtime.open(setup.encoder);
  const decoder = await runtime.open(setup.decoder);
  const tokens = Object.values(setup.languageTokens);
  return async audio => {
    const mel = runtime.float(melSpectrogram(audio, setup.bands), [1, setup.bands, MEL_COLUMNS]);
    const encoded = await encoder.run({ [encoder.inputNames[0]!]: mel });
    const heard = encoder.outputNames.map(name => encoded[name]!);
    const feeds = setup.memory
      ? feedsOfSherpa(runtime, decoder, setup, heard)
      : feedsOfHuggingFace(runtime, decoder, setup, heard);
    const { logits } = await decoder.run(feeds);
    const values = logits?.data;
    if (!(values instanceof Float32Array) || values.length <= Math.max(...tokens, setup.noSpeechToken)) {
      throw new RxscribeError('engine-failed', 'run Whisper: wanted logits of all tokens, found none');
    }
    return {
      probabilities: softmax(tokens.map(token => values[token]!)),
      noSpeech: softmax(values)[setup.noSpeechToken]!,
    };
  };
}

/** Token, memory of what was said (nothing), what was heard, and how much was said: in this order, as sherpa-onnx has it. */
function feedsOfSherpa(
  runtime: OnnxRuntime,
  decoder: OnnxSession,
  { startToken, memory }: WhisperSetup,
  heard: readonly OnnxTensor[],
): Record<string, OnnxTensor> {
  const { layers, context, state } = memory!;
  const empty = () => runtime.float(new Float32Array(layers * context * state), [layers, 1, context, state]);
  const [token, keys, values, heardKeys, heardValues, offset] = decoder.inputNames as readonly string[];
  if (offset === undefined || heard.length < 2) throw unlike(decoder);
  return {
    [token!]: runtime.whole(decoder, token!, [startToken], [1, 1]),
    [keys!]: empty(),
    [values!]: empty(),
    [heardKeys!]: heard[0]!,
    [heardValues!]: heard[1]!,
    [offset]: runtime.whole(decoder, offset, [0], [1]),
  };
}

/** By their names; a decoder with a memory inside is given an empty one. */
function feedsOfHuggingFace(
  runtime: OnnxRuntime,
  decoder: OnnxSession,
  { startToken }: WhisperSetup,
  heard: readonly OnnxTensor[],
): Record<string, OnnxTensor> {
  const feeds: Record<string, OnnxTensor> = {};
  for (const name of decoder.inputNames) {
    if (name === 'input_ids') feeds[name] = runtime.whole(decoder, name, [startToken], [1, 1]);
    else if (name === 'encoder_hidden_states') feeds[name] = heard[0]!;
    else if (name === 'use_cache_branch') feeds[name] = runtime.flag(false);
    else if (name.startsWith('past_key_values')) {
      const shape = shapeOf(decoder, name).map((size, axis) =>
        typeof size === 'number' ? size : axis === 0 ? 1 : 0,
      );
      feeds[name] = runtime.float(new Float32Array(0), shape);
    } else throw unlike(decoder);
  }
  return feeds;
}

function unlike({ inputNames }: OnnxSession): RxscribeError {
  const found = inputNames.join(', ');
  return new RxscribeError('engine-failed', `run Whisper: wanted the inputs of its decoder, found ${found}`);
}
