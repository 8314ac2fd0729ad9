import { expect, test } from 'vitest';
import { startProgram } from '../helpers/commandLine.ts';
import { dataDirectory } from '../helpers/dataDirectory.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';

const SAMPLE = new URL('../../samples/notified-job.ts', import.meta.url).pathname;
const SPEECH = new URL('../../samples/not-ill-disposed.wav', import.meta.url).pathname;

test('the program prints the text of a job whose end the service has reported', async () => {
  const service = await startTestService({
    dataDirectory: await dataDirectory(),
    allowPrivateAddresses: true,
  });
  const env = { RXSCRIBE_URL: service.url, RXSCRIBE_TOKEN: TEST_TOKEN, PORT: '0' };
  const command = [process.execPath, '--conditions=source', '--no-warnings', SAMPLE, SPEECH] as const;
  await using running = startProgram(command, { env });
  const { code, stdout, stderr } = await running.done;
  expect(stderr).toMatch(/^job \w+: http:\/\/127\.0\.0\.1:\d+\/\S+ awaits its end\n$/);
  expect(stdout).toContain('Speaker 0');
  expect(code).toBe(0);
});
