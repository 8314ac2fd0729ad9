import { LanguageIdResultSchema } from '../../protocol/results.ts';
import { wireSeconds } from '../../protocol/transcriptJson.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { JobFailedError, type Task } from '../jobs/task.ts';
import { callEngine, type EngineRole, requireEngine } from './engineCall.ts';
import type { LanguageIdInput } from './inputs.ts';
import { openMedia } from './media.ts';
import type { TaskOptions } from './taskOptions.ts';

const IDENTIFIER: EngineRole = { role: 'language identification engine', failure: 'internal_processing' };

/** Returns a probability with 4 decimals, rounded down so that the sum stays at most 1. */
const wireConfidence = (confidence: number) => Math.floor(confidence * 10_000) / 10_000;

/** Creates the task of language identification. */
export function languageIdTask(options: TaskOptions): Task {
  return async (_job, context) => {
    const engine = requireEngine(options.languageIdentifier, IDENTIFIER.role);
    const media = await openMedia(context.input as LanguageIdInput, context, options);
    const { sampleRate } = engine;
    const identify = () => engine.identify(media.audio({ sampleRate }), { signal: context.signal });
    const languageConfidences = (await callEngine(IDENTIFIER, identify, options)).map(
      ({ language, confidence }) => ({ language, confidence: wireConfidence(confidence) }),
    );
    const [top] = languageConfidences;
    if (!top) throw new JobFailedError('invalid_media', 'The media has no speech in a known language.');
    const result = { topLanguage: top.language, languageConfidences };
    return {
      durationSeconds: wireSeconds(await media.seconds()),
      findings: media.findings(),
      results: { result: JSON.stringify(toWire(LanguageIdResultSchema, result)) },
    };
  };
}
