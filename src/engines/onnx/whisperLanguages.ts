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
import type { DecoderMemory, WhisperSetup } from './whisperSetup.ts';

/** Whisper's result for up to 30 s of audio. */
export interface LanguageProbabilities {
  /** Probabilities in the order of the model's languages; they sum to 1. */
  readonly probabilities: readonly number[];
  /** Probability that nobody speaks. */
  readonly noSpeech: number;
}

/**
 * Loads a Whisper model. The function that it returns decodes the first token after `<|startoftranscript|>`,
 * which is the language (`detect_language` in openai/whisper's decoding.py), of up to 30 s of audio at 16
 * kHz.
 */
export async function loadWhisperLanguages(
  setup: WhisperSetup,
): Promise<(audio: Int16Array) => Promise<LanguageProbabilities>> {
  const runtime = await loadRuntime();
  const encoder = await runtime.open(setup.encoder);
  const decoder = await runtime.open(setup.decoder);
  const tokens = Object.values(setup.languageTokens);
  return async audio => {
    const mel = runtime.float(melSpectrogram(audio, setup.bands), [1, setup.bands, MEL_COLUMNS]);
    const [input = ''] = encoder.inputNames;
    const encoded = await encoder.run({ [input]: mel });
    const heard = encoder.outputNames.flatMap(name => encoded[name] ?? []);
    const feeds = setup.memory
      ? feedsOfSherpa(runtime, decoder, setup, setup.memory, heard)
      : feedsOfHuggingFace(runtime, decoder, setup, heard);
    const { logits } = await decoder.run(feeds);
    const values = logits?.data;
    if (!(values instanceof Float32Array) || values.length <= Math.max(...tokens, setup.noSpeechToken)) {
      throw new RxscribeError('engine-failed', 'Cannot run Whisper: it returned no logits of all tokens.');
    }
    return {
      probabilities: softmax(tokens.map(token => values[token]!)),
      noSpeech: softmax(values)[setup.noSpeechToken]!,
    };
  };
}

/**
 * Returns the inputs by position, in the order of sherpa-onnx: token, empty cache, encoded audio, and offset.
 */
function feedsOfSherpa(
  runtime: OnnxRuntime,
  decoder: OnnxSession,
  { startToken }: WhisperSetup,
  memory: DecoderMemory,
  heard: readonly OnnxTensor[],
): Record<string, OnnxTensor> {
  const [token, keys, values, heardKeys, heardValues, offset] = decoder.inputNames;
  const [audioKeys, audioValues] = heard;
  if (!token || !keys || !values || !heardKeys || !heardValues || !offset) throw unlike(decoder);
  if (!audioKeys || !audioValues) throw unlike(decoder);
  const { layers, context, state } = memory;
  const empty = () => runtime.float(new Float32Array(layers * context * state), [layers, 1, context, state]);
  return {
    [token]: runtime.whole(decoder, token, [startToken], [1, 1]),
    [keys]: empty(),
    [values]: empty(),
    [heardKeys]: audioKeys,
    [heardValues]: audioValues,
    [offset]: runtime.whole(decoder, offset, [0], [1]),
  };
}

/** Returns the inputs by name; a decoder with a cache gets an empty one. */
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
  return new RxscribeError(
    'engine-failed',
    `Cannot run Whisper: the inputs of its decoder are not supported (${found}).`,
  );
}
