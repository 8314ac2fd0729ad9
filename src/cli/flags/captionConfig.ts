import type { Command } from 'commander';
import { Type } from 'typebox';
import { CAPTION_OPTIONS, OUTPUT_FLAGS, PAGE_OPTIONS } from './captionOptions.ts';
import { applySettings, type ConfigFile, type ConfigPlan, readConfigFile } from './configFile.ts';
import { ENGINE_OPTIONS } from './engineOptions.ts';

/** Options of a track: the text of a hook with outputs of its own. */
const TRACK_OPTIONS = [
  'out',
  'profile',
  'delay',
  'display',
  ...OUTPUT_FLAGS.filter(({ isOfSource }) => !isOfSource).map(({ name }) => name),
];

/** Options of the process, which all of its sources share. */
const PROCESS_OPTIONS = [...PAGE_OPTIONS.names, ...ENGINE_OPTIONS.names, 'operator-token', 'status', 'json'];

/** Options of the command line only. */
const OTHER_OPTIONS = ['config', 'check'];

const OPTIONS = CAPTION_OPTIONS.flatMap(group => group.names).filter(name => !OTHER_OPTIONS.includes(name));
const SOURCE_OPTIONS = OPTIONS.filter(name => !PROCESS_OPTIONS.includes(name));

const names = (what: string) => ({ title: what });
const texts = Type.Optional(Type.Array(Type.String({ minLength: 1 }), names('a list of words')));
const byNumber = Type.Optional(
  Type.Record(
    Type.String({ pattern: '^\\d{1,3}$' }),
    Type.String({ minLength: 1 }),
    names('names by number'),
  ),
);
const SOURCE_PROPERTIES = {
  input: Type.Optional(Type.String({ minLength: 1 })),
  replace: Type.Optional(
    Type.Record(Type.String({ minLength: 1 }), Type.String(), names('texts by the words that they replace')),
  ),
  ban: texts,
  profanity: Type.Optional(Type.Union([Type.Literal('show'), Type.Literal('mask'), Type.Literal('drop')])),
  speakers: byNumber,
  'channel-names': byNumber,
};
const name = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$', title: 'a name of a-z, 0-9 and -' });

const TRACKS: ConfigPlan = {
  options: TRACK_OPTIONS,
  properties: {
    name,
    hook: Type.String({ minLength: 1 }),
    language: Type.Optional(Type.String({ minLength: 2 })),
  },
  parts: {},
};

/** Keys of a configuration file of `rxscribe caption`. */
export const CAPTION_CONFIG: ConfigPlan = {
  options: OPTIONS,
  properties: SOURCE_PROPERTIES,
  parts: {
    tracks: TRACKS,
    rooms: { options: SOURCE_OPTIONS, properties: { ...SOURCE_PROPERTIES, name }, parts: { tracks: TRACKS } },
  },
};

/** Rooms and tracks of a configuration file, which are no options. */
export type ConfigParts = Partial<Readonly<Record<'rooms' | 'tracks', readonly ConfigFile[]>>>;

/**
 * Reads the configuration file of `rxscribe caption`, and sets the options that the command line does not set, and as further
 * values the keys that are no options, {@link ConfigParts} among them.
 *
 * @throws RxscribeError, InvalidArgumentError as {@link readConfigFile}
 */
export function readCaptionConfig(path: string, command: Command): void {
  const { settings, parts } = readConfigFile(path, command, CAPTION_CONFIG);
  applySettings(command, { ...settings, ...parts });
}
