import { expect, test } from 'vitest';
import { connectStream } from '../helpers/streamClient.ts';
import { request, startTestService } from '../helpers/testService.ts';

test('a service that is stopping says so when asked whether it is ready', async () => {
  const service = await startTestService({ limits: { stream: { drainMs: 60_000 } } });
  const client = connectStream(service);
  await client.connected;
  const stopped = service.close();
  const { status, json } = await request(service, '/health/ready');
  expect([status, json().detail]).toEqual([503, 'The service is stopping.']);
  client.send('EOS');
  await stopped;
});
