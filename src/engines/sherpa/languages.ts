import { basename } from 'node:path';
import { CATALOGUE } from '../models/catalogue.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import languages from './languages.json' with { type: 'json' };

/** Languages of models without a catalogue entry. Cantonese has only the two-letter code of Chinese. */
const WHISPER_LANGUAGES: readonly string[] = languages.whisper;
/** Codes by the language names in directory names. */
const CODES: Readonly<Record<string, string>> = languages.byName;
/** Model names that contain language codes by accident. */
const NO_LANGUAGES = /giga-am/g;

/**
 * Returns the languages of a model: from the catalogue, by its kind, or from the name under which sherpa-onnx
 * publishes it, such as `sherpa-onnx-streaming-zipformer-fr-2023-04-14` or
 * `sherpa-onnx-zipformer-thai-2024-06-20`. English when unknown.
 */
export function languagesOf(model: ModelDirectory): readonly string[] {
  const name = basename(model.path);
  const catalogued = CATALOGUE.find(entry => entry.name === name);
  if (catalogued) return catalogued.languages.filter(hasTwoLetters);
  if (model.kind === 'offline-sense-voice') return languages.senseVoice;
  const names = [name, ...Object.values(model.files).map(path => basename(path))];
  if (model.kind === 'whisper') {
    return names.some(each => /\.en\b/.test(each)) ? ['en'] : WHISPER_LANGUAGES.filter(hasTwoLetters);
  }
  if (!name.startsWith('sherpa-onnx-')) return ['en'];
  const parts = name.replace(NO_LANGUAGES, '').split(/[-_.]/);
  const codes = parts.map(part => CODES[part] ?? part);
  const named = new Set(codes.filter(code => hasTwoLetters(code) && WHISPER_LANGUAGES.includes(code)));
  return named.size > 0 ? [...named] : ['en'];
}

/** Returns whether a code can be one of ISO 639-1. */
function hasTwoLetters(code: string): boolean {
  return code.length === 2;
}
