import type { Fallback } from '../stream/fallback.ts';
import { ASYNC_FALLBACK_DEFAULTS, type AsyncFallbackOptions, fallbackSettings } from './fallbackOptions.ts';
import { startRepairs } from './startRepairs.ts';

/**
 * Gets the text of what could not be streamed by asynchronous jobs: the `fallback` of {@link transcribe}.
 *
 * Each hole is cut from the audio with margins, submitted with what the stream was asked for, and its text put where it
 * belongs; where the source gave no audio, the job is given silence. A job that the service would delete less than 300 s
 * after its end is kept so long at most, since nobody could fetch its transcript otherwise, and deleted when that is here.
 *
 * @throws InvalidArgumentError for numbers that cannot be used
 * @example
 * source$.pipe(transcribe({ url, token, fallback: asyncFallback() })).subscribe(event => console.log(event));
 */
export function asyncFallback(options: AsyncFallbackOptions = {}): Fallback {
  const settings = fallbackSettings(options);
  return {
    marginSeconds: settings.marginSeconds,
    asyncOnly: options.asyncOnly ?? ASYNC_FALLBACK_DEFAULTS.asyncOnly,
    start: context => startRepairs(context, settings),
  };
}
