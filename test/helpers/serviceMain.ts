import { startLimitedService } from './limitedService.ts';
import { plainPunctuator } from './plainPunctuator.ts';
import { createScriptedRecognizer } from './scriptedRecognizer.ts';

/** A program that runs the service with the options of its first argument, until SIGTERM. */
const service = await startLimitedService({
  recognizer: createScriptedRecognizer(),
  punctuator: plainPunctuator,
  port: 0,
  ...JSON.parse(process.argv[2] ?? '{}'),
});
void service.initialToken.then(token =>
  process.stdout.write(`${JSON.stringify({ url: service.url, token })}\n`),
);
process.once('SIGTERM', () => service.close());
