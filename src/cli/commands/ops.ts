import { ADMIN_EXIT_CODES, ADMIN_OPTIONS } from '../flags/adminOptions.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { integerFrom } from '../flags/optionValues.ts';

/** `rxscribe ops`, which shows the state of a service to its operator. */
export const opsCommand = defineCommand({
  name: 'ops',
  description: 'show streams, queues, delays and processes of a running service, until q is pressed',
  examples: ['rxscribe ops --data ./data', 'rxscribe ops --url https://speech.example.org --once --json'],
  options: [
    ...ADMIN_OPTIONS,
    optionGroup('Output', {
      '--every <seconds>': {
        help: 'time between two looks, 1 to 3600',
        parse: integerFrom(1, 3600),
        default: 2,
      },
      '--once': 'look once',
    }),
  ],
  exitCodes: ADMIN_EXIT_CODES,
  async run({ flags, context }) {
    const { watchService } = await import('../service/watchService.ts');
    await watchService(context, flags);
  },
});
