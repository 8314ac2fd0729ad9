import { InvalidArgumentError } from '../../base/errors.ts';
import type { ModelDirectory, ModelKind } from '../models/modelDirectory.ts';
import type { DecodingMethod } from './nativeConfig.ts';

const BEAM_SEARCHED: ReadonlySet<ModelKind> = new Set([
  'online-transducer',
  'offline-transducer',
  'offline-nemo-transducer',
]);

/** Options with a limited range. */
interface SherpaOptions {
  readonly model: ModelDirectory;
  readonly voiceModel?: ModelDirectory;
  readonly maxSessions?: number;
  readonly threads?: number;
  readonly pauseSeconds?: number;
  readonly decodingMethod?: DecodingMethod;
  readonly hotwordsScore?: number;
}

/**
 * Rejects options that would crash or block the library.
 *
 * @throws InvalidArgumentError
 */
export function requireSherpaOptions(options: SherpaOptions): void {
  const { model, voiceModel, maxSessions = 1, threads = 1, pauseSeconds = 1, hotwordsScore = 1 } = options;
  if (voiceModel && voiceModel.kind !== 'silero-vad') {
    throw refused(`wanted a voice model of kind silero-vad, found ${voiceModel.kind}`);
  }
  if (!(maxSessions >= 1)) throw refused(`maxSessions must be at least 1, found ${maxSessions}`);
  if (!(Number.isInteger(threads) && threads >= 1)) {
    throw refused(`threads must be a whole number from 1, found ${threads}`);
  }
  if (!(pauseSeconds >= 0.1 && pauseSeconds <= 5)) {
    throw refused(`pauseSeconds must be 0.1 to 5, found ${pauseSeconds}`);
  }
  if (!(hotwordsScore > 0 && hotwordsScore < Infinity)) {
    throw refused(`hotwordsScore must be more than 0, found ${hotwordsScore}`);
  }
  if (options.decodingMethod === 'modified_beam_search' && !BEAM_SEARCHED.has(model.kind)) {
    throw refused(`models of kind ${model.kind} take greedy_search only, found modified_beam_search`);
  }
}

function refused(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`recognise with sherpa-onnx: ${what}`);
}
