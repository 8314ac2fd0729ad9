import { type Command, InvalidArgumentError as InvalidValueError, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { pageAddress } from '../../captions/outputs/page/pageAddress.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import { GROUP } from '../help/groups.ts';
import { orList } from './contextCommand.ts';
import { COMMAND_LINE_NOTE, collect, seconds, serviceUrl } from './optionValues.ts';

/** Name of the embedded service as a standby. */
export const EMBEDDED = 'embedded';

/** Outputs that can have a delay and a display of their own. */
export const LIVE_OUTPUTS = ['terminal', 'page', 'obs', 'youtube', 'zoom', 'hls'] as const;

export type LiveOutputName = (typeof LIVE_OUTPUTS)[number];

/** A setting of one output, `OUTPUT=VALUE`. */
export interface OfOutput<Value> {
  readonly output: LiveOutputName;
  readonly value: Value;
}

/** Flags of the outputs beside the terminal and files. */
export interface OutputFlags {
  readonly profile?: CaptionProfileName;
  /** Seconds by output. */
  readonly delay: readonly OfOutput<number>[];
  readonly display: readonly OfOutput<'words' | 'block'>[];
  readonly obs?: string;
  readonly obsPassword?: string;
  readonly obsSource?: string;
  readonly obsCaptions?: boolean;
  readonly obsFollow?: string;
  readonly obsFollowScene?: boolean;
  readonly youtube?: string;
  readonly zoom?: string;
  readonly hls?: string;
  readonly hlsClock?: string;
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
  return addPageOptions(command)
    .optionsGroup(GROUP.outputs)
    .option('--obs <url>', 'OBS to write to, such as ws://127.0.0.1:4455')
    .option('--obs-source <name>', 'text source of OBS that shows the captions')
    .option('--obs-captions', 'send them as captions of the stream of OBS')
    .option('--obs-follow <input>', 'caption only while this audio input of OBS is not muted')
    .option('--obs-follow-scene', 'and only while that input is in the scene of the program')
    .addOption(
      new Option('--obs-password <word>', `password of OBS; ${COMMAND_LINE_NOTE}`).env(
        'RXSCRIBE_OBS_PASSWORD',
      ),
    )
    .addOption(
      new Option('--youtube <url>', 'caption address of a YouTube broadcast').env('RXSCRIBE_YOUTUBE_URL'),
    )
    .addOption(new Option('--zoom <url>', 'caption address of a Zoom meeting').env('RXSCRIBE_ZOOM_URL'))
    .option('--hls <directory>', 'write segmented WebVTT for an HLS video')
    .option('--hls-clock <playlist>', 'media playlist of that video, a file or an address')
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

/** @throws InvalidArgumentError for a flag without the one that it requires */
export function checkOutputFlags(flags: OutputFlags): void {
  const { obs, obsSource, obsCaptions, obsFollow, obsFollowScene, hls, hlsClock } = flags;
  const needs = (isGiven: boolean, flag: string, required: string) => {
    if (isGiven) throw new InvalidArgumentError(`${flag} requires ${required}.`);
  };
  needs(obsSource !== undefined && !obs, '--obs-source', '--obs');
  needs(obsCaptions === true && !obs, '--obs-captions', '--obs');
  needs(obsFollow !== undefined && !obs, '--obs-follow', '--obs');
  needs(obsFollowScene === true && obsFollow === undefined, '--obs-follow-scene', '--obs-follow');
  needs(
    obs !== undefined && (obsSource ?? obsFollow) === undefined && !obsCaptions,
    '--obs',
    '--obs-source, --obs-captions or --obs-follow',
  );
  needs(hls !== undefined && hlsClock === undefined, '--hls', '--hls-clock');
  needs(hlsClock !== undefined && hls === undefined, '--hls-clock', '--hls');
}
