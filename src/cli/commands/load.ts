import { defineCommand } from '../flags/defineCommand.ts';
import { checkLoadFlags, LOAD_COMMAND_OPTIONS } from '../flags/loadOptions.ts';

/** `rxscribe load`, which finds out how many streams and jobs a service holds. */
export const loadCommand = defineCommand({
  name: 'load',
  description: 'put a service under load: streams and jobs held, delays, failures',
  examples: [
    'rxscribe load --streams 100 --ramp 10/30s --url https://speech.example.org',
    'rxscribe load talk.mp3 --streams 20 --jobs 4 --for 600 --max-delay 3 --json',
    'rxscribe load --chaos compose:api-1 --chaos compose:worker --url http://127.0.0.1:8080',
  ],
  arguments: [['[files...]', 'recordings of speech (default: half a minute of it)']],
  options: LOAD_COMMAND_OPTIONS,
  notes: `
First, each recording is streamed once as fast as the service takes it, for the words to expect. Then streams repeat the
recordings, each from a random place; new ones start in the first quarter of a step, and delays are measured in the rest. A
step is held when the limits are kept. A service without partials lags by the length of its utterances. For a comparison of
services by their words, see 'rxscribe bench'.

An account runs 10 streams at a time, unless an operator gives it more: 'rxscribe account settings ACCOUNT --streams 100'.
Results are deleted after 10 minutes.

With --chaos, parts of an installation of your own fail at random for --for seconds, up to two at a time, the same ones for the
same --seed; then the audit compares what clients got with what the service has. Nothing but the named targets is touched, and
all of it is put right at the end, after an error and after Ctrl-C. A YAML file has shell commands by target: 'kill' and 'stop'
with 'start', 'freeze' with 'continue'. Each must return: what it starts goes to the background. Words are compared with those
without faults; a recogniser may hear some differently after a new beginning.`,
  exitCodes: `
Exit codes: 0 the full load was held, or the audit found nothing, 2 wrong usage, 3 input cannot be read (or a command of
--chaos failed), 4 service unreachable or failed, 5 refused (token, credit, request), 6 the full load was not held, or the audit
found something, 130 interrupted, with the report of a load so far.`,
  async run({ args: [paths], flags, context }) {
    checkLoadFlags(flags);
    const { runLoadCommand } = await import('../suite/loadRun.ts');
    await runLoadCommand(context, { ...flags, paths });
  },
});
