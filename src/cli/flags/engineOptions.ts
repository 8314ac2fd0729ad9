import { InvalidArgumentError } from 'commander';
import { refuseIf } from '../../base/errors.ts';
import { ENGINE_NAMES, REMOTE_ENGINE } from '../../base/models.ts';
import type { EngineFlags, ModelChoice } from '../provided.ts';
import { orList } from './contextCommand.ts';
import { ROLE_NAMES, roleOf } from './modelOptions.ts';
import { optionGroup, variableGroup } from './optionGroup.ts';
import { listed, orWord, secondsFrom } from './optionValues.ts';

const ENGINES = {
  '--model <[role=]model>': {
    help: 'name or directory of a model; several separated by commas, or repeated',
    parse: collectModels,
    otherwise: "those of 'rxscribe model use'",
  },
  '--engine <name>': {
    help: 'recogniser',
    choices: [...ENGINE_NAMES, REMOTE_ENGINE],
    otherwise: 'that of the model',
  },
  '--engine-url <url>': {
    help: "server with OpenAI's interface, for --engine openai, such as http://gpu:8000/v1; its key: RXSCRIBE_ENGINE_KEY, or the file RXSCRIBE_ENGINE_KEY_FILE",
  },
  '--engine-model <name>': { help: 'model of the server', otherwise: 'whisper-1' },
  '--engine-languages <codes>': {
    help: 'languages of the server, separated by commas; of several, it finds the one that is spoken',
    parse: listed,
    otherwise: 'en',
  },
  '--engine-partials <seconds>': {
    help: 'new audio before an utterance is sent again, 0.2 to 30, or off',
    parse: orWord('off', secondsFrom(0.2, 30)),
    otherwise: '1',
  },
  '--pause <seconds>': {
    help: 'silence that ends an utterance, 0.1 to 5',
    parse: secondsFrom(0.1, 5),
    otherwise: '0.5',
  },
} as const;

/** Options of every command that runs a service inside this process. */
export const ENGINE_OPTIONS = optionGroup('Engines of the embedded service', ENGINES, checkEngine);

/** The same options, also read from variables, for a command that runs for long. */
export const SERVE_ENGINE_OPTIONS = variableGroup('Engines', ENGINES, checkEngine);

/** @throws InvalidArgumentError for `--engine openai` without its address, and for its flags without it */
function checkEngine({ engine, engineUrl, ...others }: EngineFlags): void {
  const isRemote = engine === REMOTE_ENGINE;
  refuseIf(isRemote && !engineUrl, `--engine ${REMOTE_ENGINE} requires --engine-url.`);
  const given = engineUrl ?? others.engineModel ?? others.engineLanguages ?? others.enginePartials;
  refuseIf(
    !isRemote && given !== undefined,
    `--engine-url and what belongs to it require --engine ${REMOTE_ENGINE}.`,
  );
}

/** Returns whether flags choose engines. */
export function chooseEngines({ engine, model, pause }: EngineFlags): boolean {
  return (engine ?? model ?? pause) !== undefined;
}

function collectModels(text: string, previous: readonly ModelChoice[] = []): readonly ModelChoice[] {
  return [...previous, ...text.split(',').map(modelChoice)];
}

function modelChoice(text: string): ModelChoice {
  const [, role, model] = /^(?:([a-z-]+)=)?(.+)$/.exec(text) ?? [];
  if (!model) throw new InvalidArgumentError('Must be a name or a directory');
  if (role === undefined) return { model };
  if (!ROLE_NAMES.includes(role)) {
    throw new InvalidArgumentError(`Must have ${orList(ROLE_NAMES)} before '='`);
  }
  return { role: roleOf(role), model };
}
