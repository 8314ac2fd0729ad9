import { basename } from 'node:path';
import { CATALOGUE } from '../models/catalogue.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';

/** What the multilingual Whisper models were trained on, by ISO 639-1. */
const WHISPER_LANGUAGES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt ln ha ba jw su'.split(
    ' ',
  );
const SENSE_VOICE_LANGUAGES = ['zh', 'en', 'ja', 'ko'];

/**
 * The languages of a model: by the catalogue, its kind, or the name under which sherpa-onnx publishes it, such as
 * `sherpa-onnx-streaming-zipformer-fr-2023-04-14`; English where nothing tells.
 */
export function languagesOf(model: ModelDirectory): readonly string[] {
  const name = basename(model.path);
  const catalogued = CATALOGUE.find(entry => entry.name === name);
  if (catalogued) return catalogued.languages.filter(code => code.length === 2);
  if (model.kind === 'offline-sense-voice') return SENSE_VOICE_LANGUAGES;
  const names = [name, ...Object.values(model.files).map(path => basename(path))];
  if (model.kind === 'whisper') {
    return names.some(each => /\.en\b/.test(each)) ? ['en'] : WHISPER_LANGUAGES;
  }
  if (!name.startsWith('sherpa-onnx-')) return ['en'];
  const named = name.split(/[-_.]/).filter(part => WHISPER_LANGUAGES.includes(part));
  return named.length > 0 ? named : ['en'];
}
