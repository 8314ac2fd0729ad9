import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import { GROUP } from '../help/groups.ts';
import { integerFrom, languageOption } from './optionValues.ts';

/** Retention of a job or session, and the text that is stored with it. */
export interface RetentionFlags {
  readonly metadata?: string;
  readonly deleteAfterSeconds?: number;
}

/** Adds the options of every command that begins a job or a session. */
export function addRetentionOptions(command: Command, what: 'job' | 'session'): Command {
  return command
    .optionsGroup(what === 'job' ? GROUP.job : GROUP.session)
    .option('--metadata <text>', `free text to store with the ${what}`)
    .addOption(
      new Option(
        '--delete-after-seconds <number>',
        `seconds until the service deletes the ${what} after its end; 0: never stored`,
      ).argParser(integerFrom(0, MAX_DELETE_AFTER_SECONDS)),
    );
}

/** @throws InvalidArgumentError when the service would delete a result before it can be printed */
export function checkIsKept({ deleteAfterSeconds }: RetentionFlags): void {
  if (deleteAfterSeconds === 0) {
    throw new InvalidArgumentError('--delete-after-seconds 0 leaves no result to print.');
  }
}

/** Transcription of speech. */
export interface SpeechFlags {
  readonly language: string;
  readonly filterProfanity?: boolean;
  readonly removeDisfluencies?: boolean;
  readonly skipPostprocessing?: boolean;
  readonly customVocabularyId?: string;
}

/** Adds the options of every command that transcribes. */
export function addSpeechOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.speech)
    .addOption(languageOption('language of the speech').default('en'))
    .option('--filter-profanity', 'mask profanities')
    .option('--remove-disfluencies', 'leave out um and uh')
    .option('--skip-postprocessing', 'leave out punctuation and capitals')
    .option('--custom-vocabulary-id <id>', 'vocabulary to favour');
}
