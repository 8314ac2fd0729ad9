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
    throw refused('voiceModel', "of kind 'silero-vad'", `'${voiceModel.kind}'`);
  }
  if (!(maxSessions >= 1)) throw refused('maxSessions', 'at least 1', maxSessions);
  if (!(Number.isInteger(threads) && threads >= 1)) {
    throw refused('threads', 'an integer of at least 1', threads);
  }
  if (!(pauseSeconds >= 0.1 && pauseSeconds <= 5)) {
    throw refused('pauseSeconds', 'from 0.1 to 5', pauseSeconds);
  }
  if (!(hotwordsScore > 0 && hotwordsScore < Infinity)) {
    throw refused('hotwordsScore', 'more than 0', hotwordsScore);
  }
  if (options.decodingMethod === 'modified_beam_search' && !BEAM_SEARCHED.has(model.kind)) {
    throw refused(
      'decodingMethod',
      `'greedy_search' with models of kind '${model.kind}'`,
      "'modified_beam_search'",
    );
  }
}

function refused(option: string, allowed: string, found: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`Option '${option}' must be ${allowed}, not ${found}.`);
}
