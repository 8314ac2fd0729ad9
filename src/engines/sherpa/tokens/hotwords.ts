import { readFile } from 'node:fs/promises';
import type { ModelDirectory, ModelKind } from '../../models/modelDirectory.ts';
import type { PhraseFault } from '../../recognizer.ts';
import { supportsPhrases } from '../nativeConfig.ts';
import { areBytes } from './byteTokens.ts';
import { isCharacterWord } from './tokenWords.ts';
import { areWordPieces, textTokens } from './wordPieces.ts';

export type Hotwords = ReturnType<typeof createHotwords>;

interface Spelling {
  /** Converts text to the case of the tokens: many models have only one. */
  readonly writeIn: (text: string) => string;
  /** True when the tokens are bytes. */
  readonly inBytes: boolean;
  readonly characters: ReadonlySet<string>;
  readonly tokens: ReadonlySet<string>;
  /** True when there is a vocabulary of word pieces. */
  readonly hasVocabulary: boolean;
}

/**
 * Returns a reader of phrases for a model, in the letters of its tokens.
 *
 * Only transducers with modified beam search support phrases; in sherpa-onnx, the streaming ones of NeMo do
 * not. Words are spelt by the vocabulary of word pieces, or by the tokens where those are word pieces.
 * Otherwise only characters that are words and tokens can be used.
 */
export function createHotwords({ kind, files }: ModelDirectory, decodingMethod?: string) {
  const excuse = excuseOf(kind, decodingMethod);
  let reading: Promise<Spelling> | undefined;
  return {
    /** Reason why phrases are not supported at all; undefined when they are. */
    excuse,
    async read(phrases: readonly string[]) {
      const unique = [...new Set(phrases)];
      if (excuse) return { lines: [], faults: unique.map(phrase => ({ phrase, reason: excuse })) };
      if (unique.length === 0) return { lines: [], faults: [] };
      reading ??= readSpelling(files);
      const spelling = await reading;
      const lines = new Set<string>();
      const faults: PhraseFault[] = [];
      for (const phrase of unique) {
        const line = lineOf(phrase, spelling);
        const reason = faultOf(line, spelling);
        if (reason) faults.push({ phrase, reason });
        else lines.add(line);
      }
      return { lines: [...lines], faults };
    },
  };
}

function excuseOf(kind: ModelKind, decodingMethod?: string): string | undefined {
  if (!supportsPhrases(kind)) {
    return `models of kind '${kind}' do not support phrases`;
  }
  if (decodingMethod && decodingMethod !== 'modified_beam_search') {
    return `decoding method '${decodingMethod}' does not support phrases ('modified_beam_search' does)`;
  }
  return undefined;
}

function faultOf(line: string, { inBytes, hasVocabulary, characters, tokens }: Spelling): string | undefined {
  if (line === '') return 'it has no letters';
  if (inBytes) return 'the tokens of the model are bytes';
  const letters = [...line].filter(character => character !== ' ');
  const strange = letters.find(letter => !characters.has(letter));
  if (strange) return `the model lacks the letter '${strange}'`;
  if (hasVocabulary) return letters.some(isCharacterWord) ? 'its characters are no word pieces' : undefined;
  const isSpelt = letters.every(letter => isCharacterWord(letter) && tokens.has(letter));
  return isSpelt ? undefined : 'the model has no word pieces to spell it with';
}

/** Returns a phrase without marks, which the library would read as separators and scores. */
function lineOf(phrase: string, { writeIn }: Spelling): string {
  const plain = phrase.replace(/[^\p{L}\p{M}\p{N}'’ -]/gu, '').replace(/’/g, "'");
  return writeIn(plain.replace(/-/g, ' ').trim().split(/\s+/).join(' '));
}

async function readSpelling(files: ModelDirectory['files']): Promise<Spelling> {
  const tokens = textTokens(await readFile(files.tokens!, 'utf8'));
  const text = tokens.join('').replace(/[▁\s]/g, '');
  return {
    writeIn: caseOf(text),
    inBytes: areBytes(tokens),
    characters: new Set(text),
    tokens: new Set(tokens),
    hasVocabulary: files.bpeVocab !== undefined || areWordPieces(tokens),
  };
}

/** Returns the conversion to a model's case, or none where it has both. */
function caseOf(letters: string): (text: string) => string {
  if (!/\p{Lu}/u.test(letters)) return text => text.toLowerCase();
  if (!/\p{Ll}/u.test(letters)) return text => text.toUpperCase();
  return text => text;
}
