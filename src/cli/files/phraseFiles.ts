/** Phrases for a recogniser: those of a vocabulary, and the unusual words of a document. */
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import type { UnusablePhrase } from '../../protocol/jobs.ts';
import { parseVocabularies, phraseFault, type Vocabulary } from '../../protocol/vocabularies.ts';
import { refuseIf } from '../flags/optionValues.ts';
import { loadLocal } from '../loadLocal.ts';
import { readTextFile } from './textFile.ts';

const MAX_CONTEXT_MEGABYTES = 5;

/** Returns the note that a recogniser does not use a phrase. */
export function unusableNote({ phrase, reason }: UnusablePhrase): string {
  return `Cannot use the phrase '${phrase}': ${reason}.`;
}

/** Files with phrases, and the language of the speech. */
export interface PhraseFiles {
  readonly vocabulary?: string;
  readonly context?: string;
  readonly language: string;
}

/**
 * Resolves with the phrases of a vocabulary, and of a document those that the vocabulary does not have.
 *
 * @throws RxscribeError `unreadable-input`; InvalidArgumentError for phrases that no service takes
 */
export async function readPhraseFiles(files: PhraseFiles): Promise<readonly Vocabulary[]> {
  const { vocabulary, context, language } = files;
  const vocabularies = vocabulary === undefined ? [] : await readVocabularyFile(vocabulary);
  if (context === undefined) return vocabularies;
  refuseIf(!/^en\b/.test(language), '--context requires English speech: its dictionary is English.');
  const known = new Set(vocabularies.flatMap(each => each.phrases).map(phrase => phrase.toLowerCase()));
  const found = await readContextFile(context);
  const phrases = found.filter(phrase => !known.has(phrase.toLowerCase()));
  return phrases.length === 0 ? vocabularies : [...vocabularies, { phrases }];
}

async function readContextFile(path: string): Promise<readonly string[]> {
  const megabytes = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1e6;
  if (megabytes > MAX_CONTEXT_MEGABYTES) {
    const message = `Cannot read '${path}': it has ${megabytes.toFixed(1)} MB, more than ${MAX_CONTEXT_MEGABYTES}.`;
    throw new RxscribeError('unreadable-input', message);
  }
  const text = await readTextFile(path);
  const { englishPhrases } = await loadLocal('contextPhrases');
  return englishPhrases(text);
}

/**
 * Resolves with the phrases of a file: one a line, where blank lines and those with `#` are skipped, or JSON in the form
 * of the interface.
 *
 * @throws RxscribeError `unreadable-input` when the file cannot be read
 * @throws InvalidArgumentError when it has no usable phrases
 */
export async function readVocabularyFile(path: string): Promise<readonly Vocabulary[]> {
  const text = await readTextFile(path);
  const isJson = extname(path).toLowerCase() === '.json';
  try {
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
