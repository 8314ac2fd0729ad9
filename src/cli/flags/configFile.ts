import { type Command, InvalidArgumentError as InvalidValueError, type Option } from 'commander';
import { type TProperties, type TSchema, Type } from 'typebox';
import { InvalidArgumentError, messageOf } from '../../base/errors.ts';
import { type Fault, type Path, schemaFaults } from '../../settings/schemaFaults.ts';
import { readSettings, settingsText } from '../../settings/settingsText.ts';

/** Settings of a part of a configuration file, by the names that the parsed options have. */
export type Settings = Readonly<Record<string, unknown>>;

/** Keys of a configuration file, or of a part of it. */
export interface ConfigPlan {
  /** Options that can be set, by their long names without dashes. */
  readonly options: readonly string[];
  /** Schemas of the keys that are no options. */
  readonly properties: TProperties;
  /** Lists of parts by their keys, such as rooms. */
  readonly parts: Readonly<Record<string, ConfigPlan>>;
}

/** A configuration file: its settings, and those of each part by the key of its list. */
export interface ConfigFile {
  readonly settings: Settings;
  readonly parts: Readonly<Record<string, readonly ConfigFile[]>>;
}

/**
 * Reads a configuration file, YAML or JSON, whose keys are the long options of a command without dashes. A value is checked
 * as the option checks it.
 *
 * @throws RxscribeError `unreadable-input` when the file cannot be read
 * @throws InvalidArgumentError with line and key of each fault
 */
export function readConfigFile(path: string, command: Command, plan: ConfigPlan): ConfigFile {
  const text = readSettings(settingsText('configuration', path));
  const refuse = (faults: readonly string[]): never => {
    throw new InvalidArgumentError(`Cannot use the configuration '${path}':\n${faults.join('\n')}`);
  };
  if (text.faults.length > 0) {
    refuse(text.faults.map(({ line, message }) => `  line ${line}: ${message}`));
  }
  const faultText = ({ path: place, message, ofKey }: Fault) => {
    const { line } = text.placeOf(place, ofKey);
    const key = String(place.at(-1));
    if (ofKey && plan.options.includes(key)) {
      return `  line ${line}: "${key}" is the same for all parts, and so belongs to the top of the file`;
    }
    return `  line ${line}: ${place.length > 0 && !ofKey ? `${place.join('.')}: ` : ''}${message}`;
  };
  const value = text.value ?? {};
  const faults = schemaFaults(schemaOf(command, plan), value);
  if (faults.length > 0) refuse(faults.map(faultText));
  const wrong: Fault[] = [];
  const config = settingsOf(value as Record<string, unknown>, { command, plan, path: [], faults: wrong });
  if (wrong.length > 0) refuse(wrong.map(faultText));
  return config;
}

/** Sets the options of a command that the command line does not set. */
export function applySettings(command: Command, settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (command.getOptionValueSource(name) !== 'cli') command.setOptionValueWithSource(name, value, 'config');
  }
}

function schemaOf(command: Command, { options, properties, parts }: ConfigPlan): TSchema {
  const values = command.options
    .filter(option => options.includes(option.name()))
    .map(option => [option.name(), Type.Optional(valueSchema(option))] as const);
  const lists = Object.entries(parts).map(
    ([key, part]) => [key, Type.Optional(Type.Array(schemaOf(command, part)))] as const,
  );
  const all = { ...Object.fromEntries(values), ...properties, ...Object.fromEntries(lists) };
  return Type.Object(all, { additionalProperties: false });
}

const scalar = Type.Union([Type.String(), Type.Number()], { title: 'text or a number' });

function valueSchema(option: Option): TSchema {
  if (option.isBoolean()) return Type.Boolean();
  if (!isList(option)) return scalar;
  return Type.Union([scalar, Type.Array(scalar)], { title: 'text, or a list of texts' });
}

/** Options that may be repeated have a list as their default. */
const isList = (option: Option) => Array.isArray(option.defaultValue);

interface Reading {
  readonly command: Command;
  readonly plan: ConfigPlan;
  readonly path: Path;
  /** Faults that were found so far. */
  readonly faults: Fault[];
}

function settingsOf(value: Readonly<Record<string, unknown>>, reading: Reading): ConfigFile {
  const { command, plan, path, faults } = reading;
  const settings: Record<string, unknown> = {};
  const parts: Record<string, readonly ConfigFile[]> = {};
  for (const [key, item] of Object.entries(value)) {
    const place = [...path, key];
    const option = command.options.find(each => each.name() === key && plan.options.includes(key));
    const part = plan.parts[key];
    if (option) settings[option.attributeName()] = parsed(option, item, { path: place, faults });
    else if (part) {
      parts[key] = (item as Record<string, unknown>[]).map((each, index) =>
        settingsOf(each, { ...reading, plan: part, path: [...place, index] }),
      );
    } else settings[key] = item;
  }
  return { settings, parts };
}

/** Parses a value as the command line does; a fault is added to the list. */
function parsed(option: Option, value: unknown, { path, faults }: Pick<Reading, 'path' | 'faults'>): unknown {
  if (option.isBoolean()) return value;
  const { parseArg, argChoices } = option;
  const parse = (item: unknown, previous: unknown): unknown => {
    const text = String(item);
    try {
      if (argChoices && !argChoices.includes(text)) {
        throw new InvalidValueError(`Allowed choices are ${argChoices.join(', ')}.`);
      }
      return parseArg ? parseArg(text, previous as never) : text;
    } catch (error) {
      faults.push({ path, message: `'${text}' is invalid. ${messageOf(error)}` });
      return previous;
    }
  };
  if (!isList(option)) return parse(value, undefined);
  return [value].flat().reduce<unknown>((list, item) => parse(item, list), []);
}
