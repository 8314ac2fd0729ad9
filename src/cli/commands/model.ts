import { Command, Option } from 'commander';
import { addModelOptions, type ModelFlags, ROLE_NAMES } from '../flags/modelOptions.ts';
import { notes } from '../help/format.ts';
import { loadLocal } from '../loadLocal.ts';
import type { ModelPullFlags } from '../local/modelPullRun.ts';
import type { ModelUseFlags } from '../local/modelUseRun.ts';

/** `rxscribe model`: models that make the engines accurate. */
export function modelCommand(): Command {
  return new Command('model')
    .description('list, fetch, check and choose models that make the engines accurate')
    .addCommand(listCommand())
    .addCommand(pullCommand())
    .addCommand(verifyCommand())
    .addCommand(useCommand());
}

function listCommand(): Command {
  const command = new Command('list')
    .description('print the models there are, and which are used; JSON lines where the output is no terminal')
    .option('--json', 'print JSON also in a terminal')
    .action(async (flags: ModelFlags) => {
      const { runModelList } = await loadLocal('modelListRun');
      await runModelList(flags);
    });
  return addModelOptions(command);
}

function pullCommand(): Command {
  const command = new Command('pull')
    .description('fetch models, from where it was interrupted, and print their directories')
    .argument('<name...>')
    .addOption(
      new Option('--mirror <url>', 'fetch NAME/FILE below this address instead').env('RXSCRIBE_MODEL_MIRROR'),
    )
    .addHelpText(
      'after',
      notes('Exit codes: 0 all are there, 2 wrong usage, 3 one cannot be had, 130 interrupted.'),
    )
    .action(async (names: readonly string[], flags: ModelPullFlags) => {
      const { runModelPull } = await loadLocal('modelPullRun');
      await runModelPull(names, flags);
    });
  return addModelOptions(command);
}

function verifyCommand(): Command {
  const command = new Command('verify')
    .description('read models and compare their checksums; without a name, all that were fetched')
    .argument('[name|directory...]')
    .option('--json', 'print JSON also in a terminal')
    .addHelpText('after', notes('Exit codes: 0 all are right, 2 wrong usage, 3 one is not.'))
    .action(async (models: readonly string[], flags: ModelFlags) => {
      const { runModelVerify } = await loadLocal('modelVerifyRun');
      await runModelVerify(models, flags);
    });
  return addModelOptions(command);
}

function useCommand(): Command {
  const command = new Command('use')
    .description('choose the model that the service uses, or none, and print what is used')
    .argument('<name|directory|none>')
    .addOption(
      new Option('--for <role>', 'for this only')
        .default(undefined, 'all that it can do')
        .choices(ROLE_NAMES),
    )
    .option('--json', 'print JSON also in a terminal')
    .action(async (model: string, flags: ModelUseFlags) => {
      const { runModelUse } = await loadLocal('modelUseRun');
      await runModelUse(model, flags);
    });
  return addModelOptions(command);
}
