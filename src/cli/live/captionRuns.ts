import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { defined } from '../../base/defined.ts';
import { InvalidArgumentError, messageOf, refuseIf } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { type OperatorDecisions, readDecisions } from '../../captions/control/operatorDecisions.ts';
import { checkOperatorToken } from '../../captions/control/operatorRoutes.ts';
import { OUTPUT_KINDS } from '../../captions/outputs/outputKinds.ts';
import { requirePageName } from '../../captions/outputs/page/pageAddress.ts';
import { checkTextRules, type TextRules } from '../../captions/text/textRules.ts';
import type { Vocabulary } from '../../protocol/vocabularies.ts';
import { checkNames, type Names } from '../../transcript/merge/withNames.ts';
import { trustedProxies } from '../../web/requestAddresses.ts';
import { readPhraseFiles, unusableNote } from '../files/phraseFiles.ts';
import type { ConfigParts } from '../flags/captionConfig.ts';
import { type CaptionFlags, EMBEDDED, type ProcessFlags } from '../flags/captionOptions.ts';
import type { Settings } from '../flags/configFile.ts';
import { isGiven } from '../flags/contextCommand.ts';
import { type LiveInput, liveInput } from '../flags/liveOptions.ts';
import { checkOut } from '../flags/outOptions.ts';
import { spoolPaths } from '../flags/spoolOptions.ts';
import { checkStreamQuery } from '../flags/streamFlags.ts';
import type { EmbeddedService, Provided } from '../provided.ts';
import {
  checkOutputOptions,
  checkSettings,
  checkTrackFlags,
  type HookFlags,
  namedOutputs,
  pageNameOf,
  type TrackFlags,
} from './captionOutputs.ts';

/** One source of `rxscribe caption`, with the flags that apply to it. */
export interface CaptionRun extends CaptionFlags {
  /** Name of the source; empty for the only one. */
  readonly name: string;
  readonly input: LiveInput;
  /** Words that are not shown, or shown as others. */
  readonly rules: TextRules;
  /** Names of speakers and channels. */
  readonly names: Names;
  /** Texts of hooks. */
  readonly tracks: readonly HookFlags[];
  /** Phrases of `--vocabulary` and `--context`. */
  readonly customVocabularies?: readonly Vocabulary[];
  /** File of the operator's decisions. Absent when no text is written to a file. */
  readonly decisionFile?: string;
  /** Decisions of an earlier run. */
  readonly decisions?: OperatorDecisions;
}

/** Returns whether a source uses the service inside this process. */
export function usesEmbedded({ url, standby }: CaptionRun): boolean {
  return !url || standby === EMBEDDED;
}

/**
 * Returns the sources that a command line and its configuration name: one, or the rooms of the configuration. A setting of a
 * room counts before one of the whole file, and the command line before both.
 *
 * @throws InvalidArgumentError for settings that cannot be used
 */
export async function captionRuns(
  command: Command,
  file: string | undefined,
  provided: Provided,
): Promise<readonly CaptionRun[]> {
  const flags = command.opts<RunSettings>();
  checkPage(flags, command.getOptionValueSource('operatorToken') === 'env');
  const found = await runsOf(command, file, flags, provided);
  const texts = found.flatMap(run => [run, ...run.tracks]);
  // Where an operator begins or ends typing, words are shown by their times.
  const detailed = flags.operatorToken !== undefined && { detailedPartials: true };
  const runs = found.map(run => ({ ...withDecisions(run, texts), ...detailed }));
  checkSettings(texts, flags);
  checkPlaces(texts);
  checkUnique(runs.flatMap(spoolPaths).map(path => `Spool '${path}'`));
  if (flags.page) checkPageNames(runs);
  return runs;
}

/** Adds the file of the operator's decisions, beside the first file of the source, else beside that of another source. */
function withDecisions(run: CaptionRun, texts: readonly TrackFlags[]): CaptionRun {
  const [own] = [run, ...run.tracks].flatMap(({ out }) => out);
  const [first] = texts.flatMap(({ out }) => out);
  if (first === undefined) return run;
  const decisionFile = `${own ?? `${first}.${run.name}`}.operator.json`;
  return { ...run, decisionFile, decisions: run.continue ? readDecisions(decisionFile) : undefined };
}

/** Checks that no two texts go to the same place, where each would overwrite the other. */
function checkPlaces(texts: readonly TrackFlags[]): void {
  const files = texts.flatMap(({ out }) => [...new Set(out)]);
  checkUnique(files.map(path => `File '${path}'`));
  const named = texts.flatMap(namedOutputs);
  for (const { name, hasSecretPlaces } of OUTPUT_KINDS) {
    const places = named.filter(({ kind }) => kind.name === name).flatMap(({ output }) => output.places);
    const isSame = hasSecretPlaces && new Set(places).size < places.length;
    refuseIf(isSame, `Two texts have the same address for --${name}. Give each its own.`);
    checkUnique(places);
  }
}

function checkPageNames(runs: readonly CaptionRun[]): void {
  const names = runs.flatMap(({ name, tracks }) => [name, ...tracks.map(track => pageNameOf(name, track))]);
  for (const [index, name] of names.entries()) requirePageName(name, names.slice(0, index));
}

async function runsOf(
  command: Command,
  file: string | undefined,
  { rooms, ...flags }: RunSettings,
  provided: Provided,
): Promise<readonly CaptionRun[]> {
  if (!rooms) return [await captionRun('', file, flags, provided)];
  refuseIf(rooms.length === 0, 'The configuration has no rooms.');
  refuseIf(file !== undefined, `Cannot read '${file}' beside the rooms of the configuration.`);
  checkUnique(rooms.map(({ settings }) => `Room '${settings.name}'`));
  const merged = rooms.map(({ settings, parts }) => {
    const own = Object.entries(settings).filter(([name]) => !isGiven(command, name));
    const tracks = parts.tracks ?? flags.tracks;
    const name = String(settings.name);
    const run = captionRun(name, undefined, { ...flags, ...Object.fromEntries(own), tracks }, provided);
    return run.catch(error => {
      // The class of the error is kept, as it decides on the exit code.
      error.message = `${name}: ${messageOf(error)}`;
      throw error;
    });
  });
  return Promise.all(merged);
}

/** Flags, and keys of a configuration that are no options. */
interface RunSettings extends CaptionFlags, ConfigParts {
  readonly input?: string;
  readonly replace?: Readonly<Record<string, string>>;
  readonly ban?: readonly string[];
  readonly profanity?: TextRules['profanity'];
  readonly speakers?: Names['speakers'];
  readonly 'channel-names'?: Names['channels'];
}

/** Settings and names of two devices: each is a channel, which is recognised by itself. */
const TWO_DEVICES = { channels: 2, channelsApart: true } as const;
const DEVICE_NAMES = { 0: 'Room', 1: 'Call' } as const;

async function captionRun(
  name: string,
  file: string | undefined,
  given: RunSettings,
  provided: Provided,
): Promise<CaptionRun> {
  const {
    mic,
    device,
    also,
    input,
    replace = {},
    ban,
    profanity,
    speakers,
    tracks: parts = [],
    'channel-names': channels = given.also === undefined ? undefined : DEVICE_NAMES,
    ...others
  } = given;
  const rest = also === undefined ? others : { ...others, ...TWO_DEVICES };
  const rules = { ban, profanity, replace: Object.entries(replace).map(([text, by]) => ({ text, by })) };
  const names = { speakers, channels };
  checkTextRules(rules);
  checkNames(names);
  checkStream(rest);
  const tracks = [...hookOfFlags(rest), ...parts.map(part => hookOf(rest, part.settings))];
  for (const track of [rest, ...tracks]) checkTrackFlags(track);
  const run = {
    ...rest,
    name,
    tracks,
    rules,
    names,
    customVocabularies: await vocabulariesOf(rest, provided),
    input: liveInput(file ?? input, { ...rest, mic, device, also }),
  };
  // `--check` reports on the service and on each output separately.
  if (rest.check) return run;
  checkStreamQuery(run);
  await checkOutputs(run);
  return run;
}

/** Characters of phrases in the address of a stream: a service takes 16 KiB of headers, and an operator may add phrases. */
const MAX_PHRASE_CHARACTERS = 8000;

async function vocabulariesOf(
  flags: CaptionFlags,
  provided: Provided,
): Promise<readonly Vocabulary[] | undefined> {
  const vocabularies = await readPhraseFiles(flags, provided);
  if (!vocabularies) return undefined;
  const phrases = vocabularies.flatMap(vocabulary => vocabulary.phrases);
  refuseIf(
    flags.url && encodeURIComponent(JSON.stringify(phrases)).length > MAX_PHRASE_CHARACTERS,
    `The address of a stream has no space for ${phrases.length} phrases. Submit them by 'rxscribe vocabulary submit', and name their id by --custom-vocabulary-id.`,
  );
  return [{ phrases }];
}

/** Resolves with a note for each phrase that the recogniser of this process cannot use. */
export async function unusableNotes(
  { url, customVocabularies: [vocabulary] = [] }: CaptionRun,
  service: EmbeddedService | undefined,
): Promise<readonly string[]> {
  if (url || !service || !vocabulary) return [];
  return (await service.inspectPhrases(vocabulary.phrases)).map(unusableNote);
}

/** Checks the outputs of a source and of its hooks, and creates the directory of cassettes. */
async function checkOutputs(run: CaptionRun): Promise<void> {
  for (const track of [run, ...run.tracks]) {
    await checkOut(track, true);
    checkOutputOptions(track);
  }
  if (run.record !== undefined) createRecordDirectory(run.record);
}

/** Checks flags of the page. A token of the environment is allowed without a page: other runs may have one. */
function checkPage(
  { operatorToken, page, publicUrl, trustProxy }: ProcessFlags,
  isOfEnvironment: boolean,
): void {
  refuseIf(publicUrl !== undefined && !page, '--public-url requires --page.');
  refuseIf(trustProxy.length > 0 && !page, '--trust-proxy requires --page.');
  trustedProxies(trustProxy, '--trust-proxy');
  if (operatorToken === undefined || (isOfEnvironment && !page)) return;
  refuseIf(!page, '--operator-token requires --page.');
  checkOperatorToken(operatorToken);
}

/** Checks flags of the stream that require other flags. */
function checkStream(flags: CaptionFlags): void {
  const { url, standby, standbyToken, giveUpAfter, record, channelsApart } = flags;
  refuseIf(standby !== undefined && !url, '--standby requires --url.');
  refuseIf(standby !== undefined && giveUpAfter === 0, '--give-up-after 0 cannot be used with --standby.');
  const isRemote = standby !== undefined && standby !== EMBEDDED;
  refuseIf(isRemote && !standbyToken, '--standby requires --standby-token (or RXSCRIBE_STANDBY_TOKEN).');
  refuseIf(record !== undefined && channelsApart, '--record cannot be used with --channels-apart.');
}

function createRecordDirectory(record: string): void {
  try {
    createDirectory(record);
    accessSync(record, constants.W_OK);
  } catch (cause) {
    throw new InvalidArgumentError(`Cannot record to '${record}': ${fileReason(cause)}.`, { cause });
  }
}

/** Creates a directory and those above it, one at a time: the recursive call of Node never ends below /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) return;
  createDirectory(dirname(path));
  mkdirSync(path);
}

const NO_OUTPUTS = { delay: [], display: [], out: [] } as const;

function hookOfFlags({ hook, page, profile, language }: CaptionFlags) {
  if (hook === undefined) return [];
  refuseIf(!page, '--hook requires --page, which shows its text at /hook.');
  return [{ ...NO_OUTPUTS, name: 'hook', hook, profile, language }];
}

function hookOf(
  { profile, language, overwrite, continue: isContinued }: CaptionFlags,
  settings: Settings,
): HookFlags {
  const own = settings as unknown as Partial<HookFlags> & Pick<HookFlags, 'name' | 'hook'>;
  const shared = { overwrite, continue: isContinued, profile, language };
  return { ...NO_OUTPUTS, ...shared, ...defined(own) };
}

function checkUnique(things: readonly string[]): void {
  const twice = things.find((thing, index) => things.indexOf(thing) !== index);
  refuseIf(twice !== undefined, `${twice} is named twice.`);
}
