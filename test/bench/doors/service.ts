import { startLimitedService } from '../../helpers/limitedService.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';

/** A service in a process of its own, which reports its address, and on request the processor seconds so far. */

const PLENTY = 1_000_000;

const [dataDirectory, token] = process.argv.slice(2) as [string, string];
const service = await startLimitedService({
  recognizer: createScriptedRecognizer(),
  port: 0,
  logLevel: 'silent',
  token,
  doors: ['deepgram'],
  dataDirectory,
  limits: { account: { streams: PLENTY, requestsPerSecond: PLENTY, requestBurst: PLENTY } },
});
await service.ready;
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!((user + system) / 1e6);
});
process.on('disconnect', () => process.exit());
process.send!(service.url);
