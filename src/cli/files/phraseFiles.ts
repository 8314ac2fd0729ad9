/** Phrases for a recogniser: those of a vocabulary, and the unusual words of a document. */
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { InvalidArgumentError, reasonOf, refuseIf } from '../../base/errors.ts';
import type { UnusablePhrase } from '../../protocol/jobs.ts';
import { parseVocabularies, phraseFault, type Vocabulary } from '../../protocol/vocabularies.ts';
import { textFormat } from '../../transcript/formats/textFormat.ts';
import type { FlagsOf } from '../flags/optionGroup.ts';
import type { PHRASE_OPTIONS, SPEECH_OPTIONS } from '../flags/speechOptions.ts';
import type { Provided } from '../provided.ts';
import { readTextFile } from './textFile.ts';

const MAX_CONTEXT_MEGABYTES = 5;
/** The service takes no larger body with a vocabulary. */
const MAX_VOCABULARY_BYTES = 32 * 1024 * 1024;

/** Returns the note that a recogniser does not use a phrase. */
export function unusableNote({ phrase, reason }: UnusablePhrase): string {
  return `Cannot use the phrase '${phrase}': ${reason}.`;
}

type PhraseFlags = FlagsOf<readonly [typeof PHRASE_OPTIONS, typeof SPEECH_OPTIONS]>;

/**
 * Resolves with the phrases of a vocabulary and the further ones of a document; with undefined when there are none.
 *
 * @throws RxscribeError `unreadable-input`; InvalidArgumentError for a file that cannot be used
 */
export async function readPhraseFiles(
  flags: PhraseFlags,
  provided: Provided,
): Promise<readonly Vocabulary[] | undefined> {
  const { vocabulary, context, language, customVocabularyId } = flags;
  refuseIf(
    customVocabularyId !== undefined && (vocabulary ?? context) !== undefined,
    '--vocabulary and --context cannot be used with --custom-vocabulary-id.',
  );
  const vocabularies = vocabulary === undefined ? [] : await readVocabularyFile(vocabulary);
  const known = new Set(vocabularies.flatMap(each => each.phrases).map(phrase => phrase.toLowerCase()));
  const found = context === undefined ? [] : await readContextFile(context, language, provided);
  const phrases = found.filter(phrase => !known.has(phrase.toLowerCase()));
  const all = phrases.length === 0 ? vocabularies : [...vocabularies, { phrases }];
  return all.length === 0 ? undefined : all;
}

async function readContextFile(
  path: string,
  language: string,
  { englishPhrases }: Provided,
): Promise<readonly string[]> {
  refuseIf(!/^en\b/.test(language), '--context requires English speech: its dictionary is English.');
  const megabytes = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1e6;
  refuseIf(
    megabytes > MAX_CONTEXT_MEGABYTES,
    `The document '${path}' has ${megabytes.toFixed(1)} MB, more than ${MAX_CONTEXT_MEGABYTES}.`,
  );
  return englishPhrases(await readTextFile(path));
}

/**
 * Resolves with the phrases of a file: one a line, where blank lines and those with `#` are skipped, or JSON in the form
 * of the interface.
 *
 * @throws RxscribeError `unreadable-input` when the file cannot be read
 * @throws InvalidArgumentError when it has no usable phrases
 */
export async function readVocabularyFile(path: string): Promise<readonly Vocabulary[]> {
  const text = await readTextFile(path, { maxBytes: MAX_VOCABULARY_BYTES });
  const format = textFormat(text);
  const isJson = format === 'JSON' || extname(path).toLowerCase() === '.json';
  try {
    refuseIf(!isJson && format !== 'plain text', `expected one phrase a line or JSON, found ${format}`);
    return parseVocabularies(isJson ? JSON.parse(text) : [{ phrases: linesOf(text) }]);
  } catch (cause) {
    throw new InvalidArgumentError(`Cannot use the phrases of '${path}': ${reasonOf(cause)}.`, { cause });
  }
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\r\n]/).flatMap((line, index) => {
    const phrase = line.trim();
    if (phrase === '' || phrase.startsWith('#')) return [];
    const fault = phraseFault(phrase);
    if (fault !== undefined) throw new InvalidArgumentError(`Line ${index + 1} ${fault}.`);
    return [phrase];
  });
}
