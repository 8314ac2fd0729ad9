import { readTls } from '../files/textFile.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { faultOption, SEED } from '../flags/faultOption.ts';
import { LISTEN_OPTIONS } from '../flags/listenOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { COMMAND_LINE_NOTE } from '../flags/optionValues.ts';

/** `rxscribe play`, the service of a cassette for clients in any language. */
export const playCommand = defineCommand({
  name: 'play',
  description: 'answer the audio of any client as a cassette recorded it',
  examples: ['rxscribe play talk.cassette.jsonl --port 8082 --token test --fault cut,after_seconds=5'],
  arguments: [['<cassette>', 'file that rxscribe record wrote']],
  options: [
    LISTEN_OPTIONS,
    optionGroup('Access', {
      '--token <token>': {
        help: `access token that clients need; ${COMMAND_LINE_NOTE}`,
        env: 'RXSCRIBE_TOKEN',
        otherwise: 'a random one, which is printed',
      },
    }),
    optionGroup('Faults', {
      '--latency <kind>': {
        help: 'when messages are sent: as long after the audio as recorded, or at once',
        choices: ['recorded', 'none'] as const,
        default: 'recorded',
      },
      '--fault <fault>': faultOption('play'),
      '--seed <number>': SEED,
    }),
  ],
  notes: `
The first line of the output is the address and the token as JSON. Later connections go on where they ask for it; those that
begin at 0 again get the recording from its beginning. Damage of the cassette, and differences of the audio from the recorded
one, are printed at the end.`,
  exitCodes:
    'Exit codes: 0 stopped by an interruption, 2 wrong usage, 3 input cannot be read, 4 it cannot listen there, 6 a client differed from the recorded one, the cassette is damaged, or a fault never took place.',
  async run({ args: [path], flags: { fault, ...flags }, context }) {
    const [{ parseFaults }, { readCassette }, { playServer }, { describeMismatches }, { serveUntilStopped }] =
      await Promise.all([
        import('../suite/parseFaults.ts'),
        import('../../replay/cassette/read/readCassette.ts'),
        import('../../replay/play/server/playServer.ts'),
        import('../../replay/play/match/mismatch.ts'),
        import('../service/serveUntilStopped.ts'),
      ]);
    const faults = parseFaults(fault, 'play');
    const tls = await readTls(flags);
    const cassette = await readCassette(path);
    await using server = await playServer(cassette, { ...flags, faults, tls });
    const { url, token } = server;
    await serveUntilStopped(context, {
      server,
      shown: { url, token },
      problems() {
        // Any number of clients may come.
        const differences = server.mismatches.filter(({ kind }) => kind !== 'connections');
        const { damage = [] } = cassette;
        return [
          ...damage.map(fault => `'${path}': ${fault}`),
          ...differences.map(each => describeMismatches([each])),
        ];
      },
    });
  },
});
