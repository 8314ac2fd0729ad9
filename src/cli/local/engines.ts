import { basename } from 'node:path';
import { InvalidArgumentError, RxscribeError, refuseIf, unreadable } from '../../base/errors.ts';
import { DEFAULT_ENGINE, type EngineName, type ModelRole, REMOTE_ENGINE } from '../../base/models.ts';
import type { Engines } from '../../engines/engines.ts';
import type { ModelDirectory } from '../../engines/models/modelDirectory.ts';
import { readText } from '../../web/readText.ts';
import { modelFlagsOf, roleName } from '../flags/modelOptions.ts';
import type { EngineFlags, EngineIo, ModelChoice } from '../provided.ts';

interface NamedModels {
  readonly models: Models;
  /** Models of recognisers besides the first one, of other languages. */
  readonly otherLanguages: readonly ModelDirectory[];
}

const MAX_KEY_BYTES = 10_000;

type Models = Readonly<Partial<Record<ModelRole, ModelDirectory>>>;

export interface EnginesOptions extends EngineFlags {
  /** Loads a recogniser. Default true. */
  readonly recognizes?: boolean;
  /** Limit of streams. Default: by engine and cores. */
  readonly maxStreams?: number;
  /** Stops the download of the recogniser. */
  readonly signal?: AbortSignal;
  /** Called with the name of the recogniser's model. */
  readonly onModel?: (name: string) => void;
}

/**
 * Creates the engines that the flags name, else those of `rxscribe model use`, else those of the package, whose recogniser
 * is fetched with progress on stderr when it is absent.
 *
 * @throws RxscribeError `engine-missing` when a model is not there, `download` when it cannot be fetched, `unauthorized` or
 *   `unavailable` when a server elsewhere refuses the key or does not answer;
 *   InvalidArgumentError when it has another role, or two models have the same one; the signal's reason
 */
export async function enginesOf(
  io: EngineIo,
  { recognizes = true, maxStreams, signal, onModel, ...flags }: EnginesOptions,
): Promise<Engines> {
  const [{ createEngines }, { models, otherLanguages }] = await Promise.all([
    import('../../engines/engines.ts'),
    modelsOf(flags, io.env),
  ]);
  const parts = { otherLanguages, pauseSeconds: flags.pause, maxStreams };
  if (flags.engine === REMOTE_ENGINE) {
    const remote = await remoteRecognizer(flags, io.env, maxStreams);
    if (recognizes) await remote.warm();
    onModel?.(`${REMOTE_ENGINE} at ${new URL(flags.engineUrl!).host}`);
    return createEngines({ ...parts, models, recognizer: remote });
  }
  let { recognizer } = models;
  if (!recognizer && recognizes) {
    const { fetchEmbeddedModel } = await import('./fetchEmbedded.ts');
    recognizer = await fetchEmbeddedModel(io, { signal });
  }
  if (recognizer) onModel?.(basename(recognizer.path));
  return createEngines({ ...parts, models: { ...models, recognizer } });
}

/** Creates the recogniser of a server elsewhere. Its key is no flag: other users can read a command line. */
async function remoteRecognizer(flags: EngineFlags, env: NodeJS.ProcessEnv, maxSessions?: number) {
  const { createOpenAiRecognizer } = await import('../../engines/openai/recognizer.ts');
  const file = env.RXSCRIBE_ENGINE_KEY_FILE;
  const errorOf = (fault: string) => unreadable(`the key of the engine in '${file}'`, fault);
  const key = file ? await readText(file, { maxBytes: MAX_KEY_BYTES, errorOf }) : env.RXSCRIBE_ENGINE_KEY;
  const { enginePartials } = flags;
  const recognizer = createOpenAiRecognizer({
    ...{ url: flags.engineUrl!, key: key?.trim() || undefined, maxSessions, pauseSeconds: flags.pause },
    ...{ model: flags.engineModel, languages: flags.engineLanguages },
    partialSeconds: enginePartials === 'off' ? 0 : enginePartials,
  });
  return recognizer;
}

async function modelsOf(
  { engine, model: choices = [] }: EngineFlags,
  env: NodeJS.ProcessEnv,
): Promise<NamedModels> {
  const [{ usedModels }, { engineOf, takesVoiceDetector }] = await Promise.all([
    import('../../engines/models/usedModels.ts'),
    import('../../engines/models/modelDirectory.ts'),
  ]);
  const { models: named, otherLanguages } = await namedModels(choices, env);
  // An engine without a model was chosen: the model of the settings must not replace it.
  const ignored =
    engine === DEFAULT_ENGINE || engine === REMOTE_ENGINE ? ['recognizer', 'voiceDetector'] : [];
  const used = await usedModels(undefined, [...Object.keys(named), ...ignored]);
  const { voiceDetector, ...models }: Models = { ...used, ...named };
  if (engine === REMOTE_ENGINE) {
    refuseIf(named.recognizer, `--engine ${REMOTE_ENGINE} takes no model of a recogniser.`);
    return { models, otherLanguages };
  }
  if (engine && engine !== engineOf(models.recognizer)) throw wrongEngine(engine, models.recognizer);
  // A voice detector of the settings only applies to a recogniser that takes one.
  const applies = named.voiceDetector !== undefined || takesVoiceDetector(models.recognizer);
  return { models: applies ? { ...models, voiceDetector } : models, otherLanguages };
}

/** Returns the error of an engine that cannot run the model, or that has none. */
function wrongEngine(engine: EngineName, model: ModelDirectory | undefined): RxscribeError {
  if (model) {
    return new InvalidArgumentError(
      `--engine ${engine} cannot run '${model.path}', a model of ${model.kind}.`,
    );
  }
  return new RxscribeError(
    'engine-missing',
    `--engine ${engine} requires a model. Choose one by 'rxscribe model list', fetch it by 'rxscribe model pull NAME', and add --model NAME.`,
  );
}

/**
 * Resolves with the models of the flags by role. A model named for a role precedes other models with that role; recognisers of
 * further languages do not take the place of the first.
 */
async function namedModels(choices: readonly ModelChoice[], env: NodeJS.ProcessEnv): Promise<NamedModels> {
  const otherLanguages: ModelDirectory[] = [];
  const forOne: Partial<Record<ModelRole, ModelDirectory>> = {};
  const forAll: Partial<Record<ModelRole, ModelDirectory>> = {};
  for (const { role, model } of choices) {
    const [{ findModel }, { languagesOf }] = await Promise.all([
      import('./findModel.ts'),
      import('../../engines/sherpa/languages.ts'),
    ]);
    const found = await findModel(model, modelFlagsOf(env));
    const models = role ? forOne : forAll;
    for (const each of role ? [role] : found.roles) {
      if (!found.roles.includes(each)) throw wrongRole(found, each);
      const known = models[each];
      const isOther = known && languagesOf(found).every(language => !languagesOf(known).includes(language));
      if (each === 'recognizer' && isOther) {
        otherLanguages.push(found);
        continue;
      }
      if (known) {
        throw new InvalidArgumentError(
          `Two models have the role ${roleName(each)}: '${known.path}' and '${found.path}'. Choose one by --model ${roleName(each)}=MODEL.`,
        );
      }
      models[each] = found;
    }
  }
  return { models: { ...forAll, ...forOne }, otherLanguages };
}

/** Returns the error of a model that does not have a role. */
export function wrongRole({ path, kind, roles }: ModelDirectory, role: ModelRole): InvalidArgumentError {
  const known = roles.map(roleName).join(', ');
  return new InvalidArgumentError(
    `The model '${path}' (${kind}) cannot be used as ${roleName(role)} (only as: ${known}).`,
  );
}
