import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import { type FaultProxy, startFaultProxy } from '../../helpers/faultProxy.ts';
import { startLimitedService } from '../../helpers/limitedService.ts';
import { scriptedServiceOptions } from '../../helpers/testService.ts';
import type { OutageEnd, OutagePhase, OutageReport, OutageTask } from './parts/outageClient.ts';

const TOKEN = 'token-of-the-bench';
const PHASES: readonly OutagePhase[] = [
  { name: '5 min live', minutes: 5, speaks: true, isUp: true },
  { name: '30 min of outage', minutes: 30, speaks: true, isUp: false },
  { name: '60 min of outage', minutes: 30, speaks: true, isUp: false },
  { name: '30 min of catch-up', minutes: 30, speaks: true, isUp: true },
  { name: 'caught up', minutes: 35, speaks: true, isUp: true },
  { name: '30 min of silence', minutes: 30, speaks: false, isUp: true },
];

type Message = OutageReport | OutageEnd | { readonly isUp: boolean };

/** Memory and processor time of a client, in virtual time, through an hour without a service, the catch-up, and half an hour of silence. */
export async function run(): Promise<void> {
  await using service = await startLimitedService({
    ...scriptedServiceOptions(),
    accounts: createFixedAccount(TOKEN),
  });
  let proxy: FaultProxy | undefined = await startFaultProxy(service, []);
  const { url, port } = proxy;
  const client = fork(new URL('./parts/outageClient.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  const reports: OutageReport[] = [];
  client.on('message', async (message: Message) => {
    if ('phase' in message) reports.push(message);
    if (!('isUp' in message) || message.isUp === (proxy !== undefined)) return;
    const gone = proxy;
    proxy = undefined;
    if (gone) await gone[Symbol.asyncDispose]();
    else proxy = await startFaultProxy(service, [], { port });
  });
  client.send({ url, token: TOKEN, phases: PHASES } satisfies OutageTask);
  const end = await new Promise<OutageEnd>((resolve, reject) => {
    client.on('message', (message: Message) => 'recognizedWords' in message && resolve(message));
    client.on('exit', code => reject(new Error(`the client ended with ${code}`)));
  });
  await once(client, 'exit');
  await proxy?.[Symbol.asyncDispose]();
  console.log(`\n${end.recognizedWords} of ${end.spokenWords} words heard`);
  console.table(reports.map(rowOf));
}

function rowOf({ phase, lagSeconds, cpuSeconds, audioSeconds, ...sizes }: OutageReport) {
  return {
    'at the end of': phase,
    'lag s': lagSeconds.toFixed(0),
    'RSS MB': sizes.rssMb.toFixed(0),
    'heap MB': sizes.heapMb.toFixed(1),
    'buffers MB': sizes.buffersMb.toFixed(1),
    'file MB': sizes.fileMb.toFixed(1),
    'CPU s per hour': ((cpuSeconds / audioSeconds) * 3600).toFixed(1),
  };
}
