import { defineCommand, defineCommands } from '../flags/defineCommand.ts';
import { MODEL_OPTIONS, ROLE_NAMES } from '../flags/modelOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { JSON_OPTION } from '../flags/resultOptions.ts';
import { loadLocal } from '../loadLocal.ts';

const listCommand = defineCommand({
  name: 'list',
  description: 'print known models and their use; as JSON lines unless the output is a terminal',
  examples: ['rxscribe model list'],
  options: [JSON_OPTION, MODEL_OPTIONS],
  exitCodes: 'Exit codes: 0 done, 2 wrong usage.',
  async run({ flags, context }) {
    const { runModelList } = await loadLocal('modelList');
    await runModelList(context, flags);
  },
});

const pullCommand = defineCommand({
  name: 'pull',
  description: 'fetch models, continuing interrupted downloads, and print their directories',
  examples: ['rxscribe model pull whisper-tiny'],
  arguments: [['<name...>', 'names of models']],
  options: [
    optionGroup('Models', {
      '--mirror <url>': { help: 'fetch NAME/FILE below this address instead', env: 'RXSCRIBE_MODEL_MIRROR' },
      '--accept-terms': 'accept the terms of models that have some',
    }),
    MODEL_OPTIONS,
  ],
  exitCodes: 'Exit codes: 0 done, 2 wrong usage, 3 a model cannot be fetched, 130 interrupted.',
  async run({ args: [names], flags, context }) {
    const { runModelPull } = await loadLocal('modelPull');
    await runModelPull(context, names, flags);
  },
});

const verifyCommand = defineCommand({
  name: 'verify',
  description: 'compare the checksums of models; without a name, of all that were fetched',
  examples: ['rxscribe model verify'],
  arguments: [['[name|directory...]', 'names or directories of models']],
  options: [JSON_OPTION, MODEL_OPTIONS],
  exitCodes: 'Exit codes: 0 all files are intact, 2 wrong usage, 3 a model is damaged.',
  async run({ args: [models], flags, context }) {
    const { runModelVerify } = await loadLocal('modelVerify');
    await runModelVerify(context, models, flags);
  },
});

const useCommand = defineCommand({
  name: 'use',
  description: 'choose a model for the service, or none, and print the models in use',
  examples: ['rxscribe model use whisper-tiny --for language-identifier'],
  arguments: [['<name|directory|none>', 'name or directory of a model, or none']],
  options: [
    optionGroup('Models', {
      '--for <role>': { help: 'use it in this role only', choices: ROLE_NAMES, otherwise: 'all its roles' },
    }),
    JSON_OPTION,
    MODEL_OPTIONS,
  ],
  exitCodes: 'Exit codes: 0 done, 2 wrong usage, 4 the model is not installed or cannot be used.',
  async run({ args: [model], flags, context }) {
    const { runModelUse } = await loadLocal('modelUse');
    await runModelUse(context, model, flags);
  },
});

/** `rxscribe model`, which manages the models of the engines. */
export const modelCommand = defineCommands({
  name: 'model',
  description: 'list, fetch, verify and choose models for more languages or better results',
  examples: ['rxscribe model pull whisper-tiny', 'rxscribe model use whisper-tiny'],
  commands: [listCommand, pullCommand, verifyCommand, useCommand],
});
