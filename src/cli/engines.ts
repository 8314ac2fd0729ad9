import { InvalidArgumentError, RxscribeError } from '../base/errors.ts';
import type { EngineOptions, Engines } from '../engines/engines.ts';
import type { ModelDirectory, ModelRole } from '../engines/models/modelDirectory.ts';
import type { EngineFlags, ModelChoice } from './engineOptions.ts';

type Models = Readonly<Partial<Record<ModelRole, ModelDirectory>>>;

/**
 * The engines that a command's flags name, else those that the user has put to use, else those of the package.
 *
 * @throws RxscribeError `engine-missing` where a model is not there; InvalidArgumentError where it is of another use
 */
export async function enginesOf(
  flags: EngineFlags,
  options: Pick<EngineOptions, 'spareDecoders'> = {},
): Promise<Engines> {
  const [{ createEngines }, models] = await Promise.all([import('../engines/engines.ts'), modelsOf(flags)]);
  return createEngines({ ...options, models, pauseSeconds: flags.pause });
}

async function modelsOf({ engine, model: choices = [] }: EngineFlags): Promise<Models> {
  const { usedModels } = await import('../engines/models/usedModels.ts');
  const chosen = await Promise.all(choices.map(chosenModels));
  const named: Models = Object.assign({}, ...chosen);
  const { recognizer, ...others }: Models = {
    ...(await usedModels(undefined, Object.keys(named))),
    ...named,
  };
  const isPocketSphinx = recognizer === undefined || recognizer.kind === 'pocketsphinx';
  if (engine === undefined || isPocketSphinx === (engine === 'pocketsphinx'))
    return { recognizer, ...others };
  if (named.recognizer) {
    const message = `--engine ${engine}: wanted a model for it, found ${named.recognizer.kind} in ${named.recognizer.path}`;
    throw new InvalidArgumentError(message);
  }
  // A model for another recogniser is in use: this one is asked for all the same.
  if (engine === 'pocketsphinx') return others;
  throw new RxscribeError(
    'engine-missing',
    `--engine ${engine}: wanted a model, found none. Run: rxscribe model list, rxscribe model pull NAME, and give --model NAME`,
  );
}

async function chosenModels({ role, model }: ModelChoice): Promise<Models> {
  const [{ findModel }, { MODELS_DIRECTORY }] = await Promise.all([
    import('./findModel.ts'),
    import('../engines/models/modelState.ts'),
  ]);
  const found = await findModel(model, {
    directory: process.env.RXSCRIBE_MODELS ?? MODELS_DIRECTORY,
    catalogue: process.env.RXSCRIBE_MODEL_CATALOGUE,
  });
  if (role && !found.roles.includes(role)) {
    const message = `--model: wanted a ${role}, found ${found.kind} in ${found.path}`;
    throw new InvalidArgumentError(message);
  }
  return Object.fromEntries((role ? [role] : found.roles).map(each => [each, found]));
}
