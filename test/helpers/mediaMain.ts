import { systemClock } from '../../src/base/clock.ts';
import { LIMIT_DEFAULTS } from '../../src/service/limits.ts';
import { createAddressGuard } from '../../src/service/outbound/addressGuard.ts';
import { transcriptionTask } from '../../src/service/tasks/transcription.ts';
import { plainPunctuator } from './plainPunctuator.ts';
import { createScriptedRecognizer } from './scriptedRecognizer.ts';

/** Report of a run of {@link mediaMain}. */
export interface MediaRun {
  readonly transcript: string;
  readonly durationSeconds: number;
  /** The most memory that the process had, in MB. */
  readonly peakMegabytes: number;
  /** Seconds of work, without the start of the process. */
  readonly seconds: number;
}

/**
 * A program that transcribes the media of its first argument, with the options of its second, in a process of its own,
 * whose memory can be measured.
 */
export async function mediaMain(media: string, input: unknown): Promise<MediaRun> {
  const task = transcriptionTask({
    recognizer: createScriptedRecognizer(),
    punctuator: plainPunctuator,
    guard: createAddressGuard(),
    limits: LIMIT_DEFAULTS.jobs,
    phrasesOf: async () => undefined,
    clock: systemClock,
    onError: console.error,
  });
  const began = performance.now();
  const { results, durationSeconds } = await task(
    {
      id: 'Job0',
      accountId: 'owner',
      type: 'async',
      status: 'in_progress',
      createdOn: new Date(0),
      reservedSeconds: 0,
      attempts: 1,
    },
    {
      input,
      media,
      directory: '/nowhere',
      signal: new AbortController().signal,
      reserve: async () => {},
      keepMedia: async path => path,
      keepFile: async () => {},
      progress: () => {},
    },
  );
  return {
    transcript: results.transcript!,
    durationSeconds: durationSeconds!,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    seconds: (performance.now() - began) / 1000,
  };
}

if (import.meta.main) {
  const [media = '', input = '{}'] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await mediaMain(media, JSON.parse(input))));
}
