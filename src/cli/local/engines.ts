import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { type ModelRole, modelsDirectory } from '../../base/models.ts';
import type { Engines } from '../../engines/engines.ts';
import type { ModelDirectory } from '../../engines/models/modelDirectory.ts';
import type { EngineFlags, EngineName, ModelChoice } from '../flags/engineOptions.ts';
import { roleName } from '../flags/modelOptions.ts';

type Models = Readonly<Partial<Record<ModelRole, ModelDirectory>>>;

/**
 * The engines that a command's flags name, else those that the user has put to use, else those of the package. The
 * recogniser of the package is fetched where it is absent, which stderr shows.
 *
 * @throws RxscribeError `engine-missing` where a model is not there, `download` where it cannot be had;
 *   InvalidArgumentError where it is of another use, or two are for the same
 */
export async function enginesOf(flags: EngineFlags, { recognizes = true } = {}): Promise<Engines> {
  const [{ createEngines }, models] = await Promise.all([
    import('../../engines/engines.ts'),
    modelsOf(flags),
  ]);
  const recognizer = models.recognizer ?? (recognizes ? await embeddedModel() : undefined);
  return createEngines({ models: { ...models, recognizer }, pauseSeconds: flags.pause });
}

async function embeddedModel(): Promise<ModelDirectory> {
  const { fetchEmbeddedModel } = await import('./fetchEmbedded.ts');
  return fetchEmbeddedModel(process.stderr);
}

async function modelsOf({ engine, model: choices = [] }: EngineFlags): Promise<Models> {
  const [{ usedModels }, { takesVoiceDetector }] = await Promise.all([
    import('../../engines/models/usedModels.ts'),
    import('../../engines/models/modelDirectory.ts'),
  ]);
  const named = await namedModels(choices);
  // The embedded recogniser is asked for: what else is in use for it is not wanted.
  const unwanted = engine === 'moonshine' ? ['recognizer', 'voiceDetector'] : [];
  const used = await usedModels(undefined, [...Object.keys(named), ...unwanted]);
  const { voiceDetector, ...models }: Models = { ...used, ...named };
  checkEngine(engine, models.recognizer);
  // One that is in use waits for a recogniser that takes it.
  const isHeeded = named.voiceDetector !== undefined || takesVoiceDetector(models.recognizer);
  return isHeeded ? { ...models, voiceDetector } : models;
}

function checkEngine(engine: EngineName | undefined, model: ModelDirectory | undefined): void {
  const found = model === undefined || model.kind === 'moonshine' ? 'moonshine' : 'sherpa-onnx';
  if (engine === undefined || engine === found) return;
  if (model) {
    throw new InvalidArgumentError(
      `--engine ${engine}: wanted a model for it, found ${model.kind} in ${model.path}`,
    );
  }
  throw new RxscribeError(
    'engine-missing',
    `--engine ${engine}: wanted a model, found none. Run: rxscribe model list, rxscribe model pull NAME, and give --model NAME`,
  );
}

/** By what for; a model that is named for something goes before one that could do it, too. */
async function namedModels(choices: readonly ModelChoice[]): Promise<Models> {
  const forOne: Partial<Record<ModelRole, ModelDirectory>> = {};
  const forAll: Partial<Record<ModelRole, ModelDirectory>> = {};
  for (const { role, model } of choices) {
    const found = await findChosen(model);
    const into = role ? forOne : forAll;
    for (const each of role ? [role] : found.roles) {
      if (!found.roles.includes(each)) {
        throw new InvalidArgumentError(
          `--model: wanted a model for ${roleName(each)}, found ${found.kind} in ${found.path}`,
        );
      }
      if (into[each]) {
        throw new InvalidArgumentError(
          `--model: two models for ${roleName(each)}, ${into[each].path} and ${found.path}. Say which: ${roleName(each)}=…`,
        );
      }
      into[each] = found;
    }
  }
  return { ...forAll, ...forOne };
}

async function findChosen(model: string): Promise<ModelDirectory> {
  const { findModel } = await import('./findModel.ts');
  return findModel(model, {
    directory: modelsDirectory(),
    catalogue: process.env.RXSCRIBE_MODEL_CATALOGUE,
  });
}
