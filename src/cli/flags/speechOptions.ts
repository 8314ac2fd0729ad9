import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import { GROUP } from '../help/groups.ts';
import { integerFrom, languageOption } from './optionValues.ts';

/** How long a job or session is kept, and with which text. */
export interface KeepingFlags {
  readonly metadata?: string;
  readonly deleteAfterSeconds?: number;
}

/** The options of every command that begins a job or a session. */
export function addKeepingOptions(command: Command, what: 'job' | 'session'): Command {
  return command
    .optionsGroup(what === 'job' ? GROUP.job : GROUP.session)
    .option('--metadata <text>', `free text to keep with the ${what}`)
    .addOption(
      new Option(
        '--delete-after-seconds <number>',
        `when the service deletes the ${what}; 0: never stored`,
      ).argParser(integerFrom(0, MAX_DELETE_AFTER_SECONDS)),
    );
}

/** @throws InvalidArgumentError when a result that is to be printed is gone as soon as it is there */
export function checkIsKept({ deleteAfterSeconds }: KeepingFlags, command: string): void {
  if (deleteAfterSeconds === 0) {
    throw new InvalidArgumentError(`${command}: --delete-after-seconds 0 leaves no result to print`);
  }
}

/** How speech is written down. */
export interface SpeechFlags {
  readonly language: string;
  readonly filterProfanity?: boolean;
  readonly removeDisfluencies?: boolean;
  readonly skipPostprocessing?: boolean;
  readonly customVocabularyId?: string;
}

/** The options of every command that transcribes. */
export function addSpeechOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.speech)
    .addOption(languageOption('language that is spoken').default('en'))
    .option('--filter-profanity', 'mask profanities')
    .option('--remove-disfluencies', 'leave out um and uh')
    .option('--skip-postprocessing', 'no punctuation or casing')
    .option('--custom-vocabulary-id <id>', 'vocabulary to favour');
}
