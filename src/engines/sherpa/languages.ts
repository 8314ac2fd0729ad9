import { basename } from 'node:path';
import { CATALOGUE, WHISPER_LANGUAGES } from '../models/catalogue.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';

const SENSE_VOICE_LANGUAGES = ['zh', 'en', 'ja', 'ko'];

/** As directories name languages beside their codes. Cantonese has none of two letters but that of Chinese. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  arabic: 'ar',
  cantonese: 'zh',
  chinese: 'zh',
  english: 'en',
  french: 'fr',
  german: 'de',
  indonesian: 'id',
  italian: 'it',
  japanese: 'ja',
  korean: 'ko',
  polish: 'pl',
  portuguese: 'pt',
  russian: 'ru',
  spanish: 'es',
  thai: 'th',
  vietnamese: 'vi',
};
/** Names of models that have codes of languages in them. */
const NO_LANGUAGES = /giga-am/g;

/**
 * The languages of a model: by the catalogue, its kind, or the name under which sherpa-onnx publishes it, such as
 * `sherpa-onnx-streaming-zipformer-fr-2023-04-14` or `sherpa-onnx-zipformer-thai-2024-06-20`; English where nothing
 * tells.
 */
export function languagesOf(model: ModelDirectory): readonly string[] {
  const name = basename(model.path);
  const catalogued = CATALOGUE.find(entry => entry.name === name);
  if (catalogued) return catalogued.languages.filter(hasTwoLetters);
  if (model.kind === 'offline-sense-voice') return SENSE_VOICE_LANGUAGES;
  const names = [name, ...Object.values(model.files).map(path => basename(path))];
  if (model.kind === 'whisper') {
    return names.some(each => /\.en\b/.test(each)) ? ['en'] : WHISPER_LANGUAGES.filter(hasTwoLetters);
  }
  if (!name.startsWith('sherpa-onnx-')) return ['en'];
  const parts = name.replace(NO_LANGUAGES, '').split(/[-_.]/);
  const codes = parts.map(part => LANGUAGE_NAMES[part] ?? part);
  const named = new Set(codes.filter(code => hasTwoLetters(code) && WHISPER_LANGUAGES.includes(code)));
  return named.size > 0 ? [...named] : ['en'];
}

/** As the codes of ISO 639-1. */
function hasTwoLetters(code: string): boolean {
  return code.length === 2;
}
