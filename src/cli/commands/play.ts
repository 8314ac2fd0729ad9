import { readFile } from 'node:fs/promises';
import { unreadable } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { FAULT } from '../flags/faultOption.ts';
import { type FlagsOf, optionGroup } from '../flags/optionGroup.ts';
import { COMMAND_LINE_NOTE, integerFrom, refuseIf } from '../flags/optionValues.ts';
import { GROUP } from '../help/groups.ts';

const NETWORK_OPTIONS = optionGroup(
  GROUP.network,
  {
    '--host <address>': { help: 'address to listen on', default: '127.0.0.1' },
    '--port <number>': { help: 'port, 0 for a free one', parse: integerFrom(0, 65_535), default: 0 },
    '--token <token>': {
      help: `access token that clients need; ${COMMAND_LINE_NOTE}`,
      env: 'RXSCRIBE_TOKEN',
      otherwise: 'a random one, which is printed',
    },
    '--tls-cert <file>': 'certificate for wss, in PEM',
    '--tls-key <file>': 'key of the certificate, in PEM',
  },
  ({ tlsCert, tlsKey }) =>
    refuseIf((tlsCert === undefined) !== (tlsKey === undefined), '--tls-cert and --tls-key belong together.'),
);

const ANSWER_OPTIONS = optionGroup(GROUP.chaos, {
  '--latency <kind>': {
    help: 'when messages are sent: as long after the audio as recorded, or at once',
    choices: ['recorded', 'none'] as const,
    default: 'recorded',
  },
  '--fault <fault>': FAULT,
  '--seed <number>': {
    help: 'number that determines what is random',
    parse: integerFrom(0, 2 ** 32 - 1),
    default: 1,
  },
});

/** `rxscribe play`, the service of a cassette for clients in any language. */
export const playCommand = defineCommand({
  name: 'play',
  description: 'answer the audio of any client as a cassette recorded it',
  examples: ['rxscribe play talk.cassette.jsonl --port 8082 --token test --fault cut,after_seconds=5'],
  arguments: [['<cassette>', 'file that rxscribe record wrote']],
  options: [NETWORK_OPTIONS, ANSWER_OPTIONS],
  notes: `
The first line of the output is the address and the token as JSON. Later connections go on where they ask for it; those that
begin at 0 again get the recording from its beginning. Differences of the audio from the recorded one are printed at the end.`,
  exitCodes:
    'Exit codes: 0 stopped by an interruption, 2 wrong usage, 3 input cannot be read, 4 it cannot listen there, 6 a client differed from the recorded one.',
  run: ({ args: [path], flags, context }) => play(path, flags, context),
});

type PlayFlags = FlagsOf<typeof NETWORK_OPTIONS> & FlagsOf<typeof ANSWER_OPTIONS>;

async function play(
  path: string,
  { tlsCert, tlsKey, fault, ...flags }: PlayFlags,
  context: Context,
): Promise<void> {
  const [
    { readCassette },
    { playServer },
    { describeMismatches },
    { STOPPED, takeInterruptions },
    { firstValueFrom },
  ] = await Promise.all([
    import('../../replay/cassette/read/readCassette.ts'),
    import('../../replay/play/server/playServer.ts'),
    import('../../replay/play/match/mismatch.ts'),
    import('../interruption.ts'),
    import('rxjs'),
  ]);
  const tls = tlsCert && tlsKey ? { cert: await pem(tlsCert), key: await pem(tlsKey) } : undefined;
  const cassette = await readCassette(path);
  using interruption = takeInterruptions(context, STOPPED);
  await using server = await playServer(cassette, { ...flags, faults: fault, tls });
  context.stdout.write(`${JSON.stringify({ url: server.url, token: server.token })}\n`);
  await firstValueFrom(interruption.interrupted$);
  // Any number of clients may come.
  const differences = server.mismatches.filter(({ kind }) => kind !== 'connections');
  if (differences.length === 0) return;
  context.stderr.write(`${describeMismatches(differences)}\n`);
  context.exitCode = EXIT.worse;
}

async function pem(path: string): Promise<Buffer> {
  return readFile(path).catch(cause => {
    throw unreadable(`'${path}'`, fileReason(cause), cause);
  });
}
