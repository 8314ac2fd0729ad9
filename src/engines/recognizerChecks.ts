import { InvalidArgumentError } from '../base/errors.ts';
import { defaultLanguage } from './foundLanguage.ts';
import { RECOGNIZER_SESSION_DEFAULTS, type RecognizerSessionOptions } from './recognizer.ts';

/** Returns the error of an option outside its range. */
export function refused(option: string, allowed: string, found: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`Option '${option}' must be ${allowed}, not ${found}.`);
}

/** @throws InvalidArgumentError for a number that is no integer of at least 1 */
export function requireCount(option: string, count = 1): void {
  if (!(Number.isInteger(count) && count >= 1)) throw refused(option, 'an integer of at least 1', count);
}

/**
 * Checks the options that all recognisers have.
 *
 * @throws InvalidArgumentError
 */
export function requireRecognizerOptions({
  maxSessions = 1,
  pauseSeconds = 1,
}: {
  readonly maxSessions?: number;
  readonly pauseSeconds?: number;
}): void {
  if (!(maxSessions >= 1)) throw refused('maxSessions', 'at least 1', maxSessions);
  if (!(pauseSeconds >= 0.1 && pauseSeconds <= 5)) {
    throw refused('pauseSeconds', 'from 0.1 to 5', pauseSeconds);
  }
}

/**
 * Returns the language of a session. Default: English, or the engine's first one.
 *
 * @throws InvalidArgumentError for an unsupported language
 */
export function languageFor(
  { language: wanted }: RecognizerSessionOptions,
  languages: readonly string[],
): string {
  const language = wanted ?? defaultLanguage({ languages }) ?? 'en';
  if (languages.includes(language)) return language;
  throw new InvalidArgumentError(
    `Language '${language}' is not supported here (supported: ${languages.join(', ')}). See 'rxscribe model list'.`,
  );
}

/**
 * Returns the frames after which speech without a pause is cut.
 *
 * @param mostSeconds limit of the engine
 * @throws InvalidArgumentError for a limit outside the range
 */
export function segmentFrames(
  { maxSegmentSeconds = RECOGNIZER_SESSION_DEFAULTS.maxSegmentSeconds }: RecognizerSessionOptions,
  mostSeconds: number,
  sampleRate: number,
): number {
  if (!(maxSegmentSeconds >= 1 && maxSegmentSeconds <= 300)) {
    throw refused('maxSegmentSeconds', 'from 1 to 300', maxSegmentSeconds);
  }
  return Math.round(Math.min(maxSegmentSeconds, mostSeconds) * sampleRate);
}
