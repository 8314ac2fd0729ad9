import { refuseIf } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import { optionGroup } from './optionGroup.ts';
import { integerFrom } from './optionValues.ts';

const retentionTable = <What extends string>(what: What) => ({
  '--metadata <text>': `free text to store with the ${what}`,
  '--delete-after-seconds <number>': {
    help: `seconds until the service deletes the ${what} after its end; 0: never stored`,
    parse: integerFrom(0, MAX_DELETE_AFTER_SECONDS),
  },
});

/** Retention of a job that a command submits, and the text that is stored with it. */
export const JOB_RETENTION_OPTIONS = optionGroup('Job', retentionTable('job'));

/** Retention of a session, and the text that is stored with it. */
export const SESSION_RETENTION_OPTIONS = optionGroup('Session', retentionTable('session'));

/** @throws InvalidArgumentError when the service would delete a result before it can be printed */
export function checkIsKept({ deleteAfterSeconds }: { readonly deleteAfterSeconds?: number }): void {
  refuseIf(deleteAfterSeconds === 0, '--delete-after-seconds 0 leaves no result to print.');
}

/** Phrases to favour, in files. */
export const PHRASE_OPTIONS = optionGroup('Speech', {
  '--vocabulary <file>': 'phrases to favour: one a line (# for comments), or .json',
  '--context <file>': 'text, Markdown or HTML whose names and unusual words to favour',
});

/** Options of every command that transcribes. */
export const SPEECH_OPTIONS = optionGroup('Speech', {
  '--language <code>': { help: 'language of the speech', parse: languageOf, default: 'en' },
  '--filter-profanity': 'mask profanities',
  '--remove-disfluencies': 'leave out um and uh',
  '--skip-postprocessing': 'leave out punctuation and capitals',
  '--custom-vocabulary-id <id>': 'vocabulary to favour',
});
