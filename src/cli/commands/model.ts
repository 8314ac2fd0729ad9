import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addModelOptions, type ModelFlags, ROLE_NAMES } from '../flags/modelOptions.ts';
import { notes } from '../help/format.ts';
import { loadLocal } from '../loadLocal.ts';
import type { ModelPullFlags } from '../local/modelPull.ts';
import type { ModelUseFlags } from '../local/modelUse.ts';

/** Creates `rxscribe model`, which manages the models of the engines. */
export function modelCommand(context: Context): Command {
  return new ContextCommand('model', context)
    .description('list, fetch, verify and choose models for more languages or better results')
    .addCommand(listCommand(context))
    .addCommand(pullCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(useCommand(context));
}

function listCommand(context: Context): Command {
  const command = new ContextCommand('list', context)
    .description('print known models and their use; as JSON lines unless the output is a terminal')
    .option('--json', 'print JSON also in a terminal')
    .addHelpText('after', notes('Exit codes: 0 done, 2 wrong usage.'))
    .action(async (flags: ModelFlags) => {
      const { runModelList } = await loadLocal('modelList');
      await runModelList(context, flags);
    });
  return addModelOptions(command);
}

function pullCommand(context: Context): Command {
  const command = new ContextCommand('pull', context)
    .description('fetch models, continuing interrupted downloads, and print their directories')
    .argument('<name...>', 'names of models')
    .addOption(
      new Option('--mirror <url>', 'fetch NAME/FILE below this address instead').env('RXSCRIBE_MODEL_MIRROR'),
    )
    .addHelpText(
      'after',
      notes('Exit codes: 0 done, 2 wrong usage, 3 a model cannot be fetched, 130 interrupted.'),
    )
    .action(async (names: readonly string[], flags: ModelPullFlags) => {
      const { runModelPull } = await loadLocal('modelPull');
      await runModelPull(context, names, flags);
    });
  return addModelOptions(command);
}

function verifyCommand(context: Context): Command {
  const command = new ContextCommand('verify', context)
    .description('compare the checksums of models; without a name, of all that were fetched')
    .argument('[name|directory...]', 'names or directories of models')
    .option('--json', 'print JSON also in a terminal')
    .addHelpText('after', notes('Exit codes: 0 all files are intact, 2 wrong usage, 3 a model is damaged.'))
    .action(async (models: readonly string[], flags: ModelFlags) => {
      const { runModelVerify } = await loadLocal('modelVerify');
      await runModelVerify(context, models, flags);
    });
  return addModelOptions(command);
}

function useCommand(context: Context): Command {
  const command = new ContextCommand('use', context)
    .description('choose a model for the service, or none, and print the models in use')
    .argument('<name|directory|none>', 'name or directory of a model, or none')
    .addOption(
      new Option('--for <role>', 'use it in this role only')
        .default(undefined, 'all its roles')
        .choices(ROLE_NAMES),
    )
    .option('--json', 'print JSON also in a terminal')
    .addHelpText(
      'after',
      notes('Exit codes: 0 done, 2 wrong usage, 4 the model is not installed or cannot be used.'),
    )
    .action(async (model: string, flags: ModelUseFlags) => {
      const { runModelUse } = await loadLocal('modelUse');
      await runModelUse(context, model, flags);
    });
  return addModelOptions(command);
}
