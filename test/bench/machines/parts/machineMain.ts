import { setTimeout } from 'node:timers/promises';
import { startLimitedService } from '../../../helpers/limitedService.ts';
import { plainPunctuator } from '../../../helpers/plainPunctuator.ts';
import { createScriptedRecognizer } from '../../../helpers/scriptedRecognizer.ts';

/**
 * A program that runs one process of a service with the options of its first argument, until SIGTERM. Its recogniser takes
 * the time of `workMs` for each piece of audio, and no processor time.
 */
const { workMs, ...options } = JSON.parse(process.argv[2]!);
const service = startLimitedService({
  recognizer: createScriptedRecognizer({ beforeWrite: () => setTimeout(workMs) }),
  punctuator: plainPunctuator,
  ...options,
});
process.once('SIGTERM', async () => (await service).close());
