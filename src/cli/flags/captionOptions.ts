import { InvalidArgumentError as InvalidValueError, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { OutputFlag } from '../../captions/outputs/outputKind.ts';
import { OUTPUT_KINDS, type OutputValues } from '../../captions/outputs/outputKinds.ts';
import { pageAddress } from '../../captions/outputs/page/pageAddress.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import { orList } from './contextCommand.ts';
import { liveOptions } from './liveOptions.ts';
import { type FlagsOf, type OptionGroup, optionGroup } from './optionGroup.ts';
import { COMMAND_LINE_NOTE, collect, seconds, serviceUrl } from './optionValues.ts';
import { LIVE_OUT_OPTIONS } from './outOptions.ts';
import { RECOVERY_OPTIONS } from './recoveryOptions.ts';
import { serviceOptions } from './serviceOptions.ts';
import { PHRASE_OPTIONS, SESSION_RETENTION_OPTIONS, SPEECH_OPTIONS } from './speechOptions.ts';

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

const OUTPUT_OPTIONS: OptionGroup<OutputValues> = optionGroup(
  'Live outputs',
  Object.fromEntries(
    OUTPUT_FLAGS.map(({ name, value, description, env, isPassword }) => [
      value === undefined ? `--${name}` : `--${name} <${value}>`,
      { help: isPassword ? `${description}; ${COMMAND_LINE_NOTE}` : description, env },
    ]),
  ),
);

const DISPLAY_OPTIONS = [
  optionGroup('Live outputs', {
    '--hook <command>': 'program or address that gets each sentence and gives a text for /hook of --page',
  }),
  optionGroup('Captions', {
    '--profile <name>': {
      help: 'limits of captions in blocks and files',
      choices: Object.keys(CAPTION_PROFILES) as CaptionProfileName[],
      otherwise: 'netflix; cea608 for SCC',
    },
    '--delay <output=seconds>': {
      help: 'show captions later; may be repeated',
      parse: collect(ofOutput(seconds)),
      default: [],
    },
    '--display <output=how>': {
      help: 'show words one by one, or a block at a time; may be repeated',
      parse: collect(ofOutput(display)),
      default: [],
    },
  }),
] as const;

/** Flags of the outputs beside the terminal and files. */
export type OutputFlags = OutputValues & FlagsOf<typeof DISPLAY_OPTIONS>;

/** Options of the page of the captions. */
export const PAGE_OPTIONS = optionGroup('Page', {
  '--page <[host:]port>': {
    help: 'serve the captions as a web page; host 0.0.0.0 for other machines',
    parse: pageValue,
  },
  '--public-url <url>': 'address of the page for viewers, as behind a reverse proxy',
  '--trust-proxy <network>': {
    help: 'proxy of the page whose X-Forwarded-For is believed, such as 10.0.0.0/8; may be repeated',
    parse: collect(String),
    default: [],
  },
});

/** Operation of a process that runs for hours. */
const OPERATION_OPTIONS = optionGroup('Operation', {
  '--config <file>': 'read options from a YAML or JSON file',
  '--check': 'check the input, the service and the outputs, and end',
  '--record <directory>': 'record each session as a cassette, for replay',
  '--standby <url>': {
    help: 'service that takes over from a failing one, or: embedded',
    parse: serviceUrl,
  },
  '--standby-token <token>': {
    help: `access token for --standby; ${COMMAND_LINE_NOTE}`,
    env: 'RXSCRIBE_STANDBY_TOKEN',
  },
  '--operator-token <token>': {
    help: `token of the operator's page; ${COMMAND_LINE_NOTE}`,
    env: 'RXSCRIBE_OPERATOR_TOKEN',
  },
  '--status': 'show the state of the outputs and of the stream on a line',
});

/** Options of `rxscribe caption`. */
export const CAPTION_OPTIONS = [
  ...liveOptions('caption'),
  optionGroup('Input', {
    '--also <device>': 'with --mic, a second device as a channel; loopback for the sound of the computer',
    '--channels-apart': 'stream each channel by itself',
  }),
  LIVE_OUT_OPTIONS,
  optionGroup('Output', { '--json': 'print one JSON object a line' }),
  PAGE_OPTIONS,
  OUTPUT_OPTIONS,
  ...DISPLAY_OPTIONS,
  OPERATION_OPTIONS,
  ...serviceOptions(),
  SPEECH_OPTIONS,
  PHRASE_OPTIONS,
  SESSION_RETENTION_OPTIONS,
  RECOVERY_OPTIONS,
] as const;

/** Flags of `rxscribe caption`. */
export type CaptionFlags = FlagsOf<typeof CAPTION_OPTIONS>;

/** The flags that all sources of a process share. */
export type ProcessFlags = FlagsOf<readonly [typeof PAGE_OPTIONS, typeof OPERATION_OPTIONS]>;

function pageValue(text: string): { readonly host?: string; readonly port: number } {
  try {
    return pageAddress(text);
  } catch {
    throw new InvalidValueError('Must be a port, or a host and a port, such as 8090 or 0.0.0.0:8090');
  }
}

function ofOutput<Value>(parse: (text: string) => Value): (text: string) => OfOutput<Value> {
  return text => {
    const [, given, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const output = LIVE_OUTPUTS.find(known => known === given);
    if (output === undefined || value === undefined) {
      throw new InvalidValueError(`Must be OUTPUT=VALUE with an output of ${orList(LIVE_OUTPUTS)}`);
    }
    return { output, value: parse(value) };
  };
}

function display(text: string): 'words' | 'block' {
  if (text === 'words' || text === 'block') return text;
  throw new InvalidValueError('Must be words or block after the output');
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
