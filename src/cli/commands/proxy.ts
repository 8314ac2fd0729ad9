import { counted } from '../../base/text.ts';
import { readTls } from '../files/textFile.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { faultOption, SEED } from '../flags/faultOption.ts';
import { LISTEN_OPTIONS } from '../flags/listenOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { serviceUrl } from '../flags/optionValues.ts';

/** `rxscribe proxy`, which stands between clients in any language and a service. */
export const proxyCommand = defineCommand({
  name: 'proxy',
  description: 'pass clients on to a service, with faults of their connections, and record their sessions',
  examples: [
    'rxscribe proxy --url http://127.0.0.1:8080 --port 8083 --fault cut,after_seconds=5',
    'rxscribe proxy --url https://speech.example.org --record sessions',
  ],
  options: [
    optionGroup('Service', {
      '--url <url>': { help: 'service to pass to', env: 'RXSCRIBE_URL', parse: serviceUrl, required: true },
    }),
    LISTEN_OPTIONS,
    optionGroup('Faults', { '--fault <fault>': faultOption('proxy'), '--seed <number>': SEED }),
    optionGroup('Output', {
      '--record <directory>': 'new or empty directory in which each WebSocket session becomes a cassette',
    }),
  ],
  notes: `
The first line of the output is the address as JSON. Clients use it with their own tokens, which are neither printed nor
recorded. Faults are those of WebSocket connections, by number; other requests pass as they are.`,
  exitCodes:
    'Exit codes: 0 stopped by an interruption, 2 wrong usage, 3 input cannot be read, 4 it cannot listen there, 6 a session was not recorded, or a fault never took place.',
  async run({ flags: { fault, record, ...flags }, context }) {
    const [{ parseFaults }, { startProxy }, { serveUntilStopped }, { newDirectory }] = await Promise.all([
      import('../suite/parseFaults.ts'),
      import('../../replay/proxy/startProxy.ts'),
      import('../service/serveUntilStopped.ts'),
      import('../files/newDirectory.ts'),
    ]);
    const faults = parseFaults(fault, 'proxy');
    const tls = await readTls(flags);
    if (record !== undefined) (await newDirectory(record)).complete();
    let unrecorded = 0;
    const onWarning = (message: string) => {
      unrecorded++;
      context.stderr.write(`${message}\n`);
    };
    await using server = await startProxy({ ...flags, faults, record, tls, onWarning });
    await serveUntilStopped(context, {
      server,
      shown: { url: server.url },
      async problems() {
        // Recordings are completed then.
        await server.close();
        return unrecorded > 0 ? [`${counted(unrecorded, 'session')} could not be recorded`] : [];
      },
    });
  },
});
