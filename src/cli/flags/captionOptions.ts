import { type Command, InvalidArgumentError as InvalidValueError, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { OutputFlag } from '../../captions/outputs/outputKind.ts';
import { OUTPUT_KINDS, type OutputValues } from '../../captions/outputs/outputKinds.ts';
import { pageAddress } from '../../captions/outputs/page/pageAddress.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import { GROUP } from '../help/groups.ts';
import { orList } from './contextCommand.ts';
import { COMMAND_LINE_NOTE, collect, seconds, serviceUrl } from './optionValues.ts';

/** Name of the embedded service as a standby. */
export const EMBEDDED = 'embedded';

/** Outputs that can have a delay and a display of their own. */
const LIVE_OUTPUTS = ['terminal', 'page', ...OUTPUT_KINDS.map(({ name }) => name)];

/** A setting of one output, `OUTPUT=VALUE`. */
export interface OfOutput<Value> {
  readonly output: string;
  readonly value: Value;
}

/** Flags of all kinds of outputs. */
export const OUTPUT_FLAGS: readonly OutputFlag[] = OUTPUT_KINDS.flatMap(({ flags }) => flags);

/** Flags of the outputs beside the terminal and files. */
export interface OutputFlags extends OutputValues {
  readonly profile?: CaptionProfileName;
  /** Seconds by output. */
  readonly delay: readonly OfOutput<number>[];
  readonly display: readonly OfOutput<'words' | 'block'>[];
  readonly hook?: string;
}

/** The page of a process, and the rest that all of its sources share. */
export interface ProcessFlags {
  readonly page?: { readonly host?: string; readonly port: number };
  readonly publicUrl?: string;
  readonly trustProxy: readonly string[];
  readonly operatorToken?: string;
  readonly status?: boolean;
  /** Checks what the captions would use, and ends. */
  readonly check?: boolean;
}

/** Adds the options of live captions: outputs, their delays, and the operation of a process that runs for hours. */
export function addCaptionOptions(command: Command): Command {
  addPageOptions(command).optionsGroup(GROUP.outputs);
  for (const flag of OUTPUT_FLAGS) command.addOption(outputOption(flag));
  return command
    .option(
      '--hook <command>',
      'program or address that gets each sentence and gives a text for /hook of --page',
    )
    .optionsGroup(GROUP.captions)
    .addOption(
      new Option('--profile <name>', 'limits of captions in blocks and files')
        .choices(Object.keys(CAPTION_PROFILES))
        .default(undefined, 'netflix; cea608 for SCC'),
    )
    .addOption(
      new Option('--delay <output=seconds>', 'show captions later; may be repeated')
        .argParser(collect(ofOutput(seconds)))
        .default([]),
    )
    .addOption(
      new Option('--display <output=how>', 'show words one by one, or a block at a time; may be repeated')
        .argParser(collect(ofOutput(display)))
        .default([]),
    )
    .optionsGroup(GROUP.operation)
    .option('--config <file>', 'read options from a YAML or JSON file')
    .option('--check', 'check the input, the service and the outputs, and end')
    .option('--record <directory>', 'record each session as a cassette, for replay')
    .option('--standby <url>', 'service that takes over from a failing or slow one, or: embedded', serviceUrl)
    .addOption(
      new Option('--standby-token <token>', `access token for --standby; ${COMMAND_LINE_NOTE}`).env(
        'RXSCRIBE_STANDBY_TOKEN',
      ),
    )
    .addOption(
      new Option('--operator-token <token>', `token of the operator's page; ${COMMAND_LINE_NOTE}`).env(
        'RXSCRIBE_OPERATOR_TOKEN',
      ),
    )
    .option('--status', 'show the state of the outputs and of the stream on a line');
}

function addPageOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.page)
    .addOption(
      new Option(
        '--page <[host:]port>',
        'serve the captions as a web page; host 0.0.0.0 for other machines',
      ).argParser(pageValue),
    )
    .option('--public-url <url>', 'address of the page for viewers, as behind a reverse proxy')
    .addOption(
      new Option(
        '--trust-proxy <network>',
        'proxy of the page whose X-Forwarded-For is believed, such as 10.0.0.0/8; may be repeated',
      )
        .argParser(collect(String))
        .default([]),
    );
}

function pageValue(text: string): ProcessFlags['page'] {
  try {
    return pageAddress(text);
  } catch {
    throw new InvalidValueError('must be a port, or a host and a port, such as 8090 or 0.0.0.0:8090');
  }
}

function ofOutput<Value>(parse: (text: string) => Value): (text: string) => OfOutput<Value> {
  return text => {
    const [, given, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const output = LIVE_OUTPUTS.find(known => known === given);
    if (output === undefined || value === undefined) {
      throw new InvalidValueError(`must be OUTPUT=VALUE with an output of ${orList(LIVE_OUTPUTS)}`);
    }
    return { output, value: parse(value) };
  };
}

function display(text: string): 'words' | 'block' {
  if (text === 'words' || text === 'block') return text;
  throw new InvalidValueError('must be words or block after the output');
}

function outputOption({ name, value, description, env, isPassword }: OutputFlag): Option {
  const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
  const option = new Option(flags, isPassword ? `${description}; ${COMMAND_LINE_NOTE}` : description);
  return env === undefined ? option : option.env(env);
}

/** @throws InvalidArgumentError for a flag without one that it needs */
export function checkOutputFlags(flags: OutputFlags): void {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  const isGiven = (name: string) => {
    const value = values[new Option(`--${name}`).attributeName()];
    return value !== undefined && value !== false;
  };
  for (const { name, needs } of OUTPUT_FLAGS) {
    if (!needs || !isGiven(name) || needs.some(isGiven)) continue;
    throw new InvalidArgumentError(`--${name} requires ${orList(needs.map(need => `--${need}`))}.`);
  }
}
