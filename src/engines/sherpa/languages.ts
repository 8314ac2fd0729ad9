import { basename } from 'node:path';
import type { ModelDirectory } from '../models/modelDirectory.ts';

/** What the multilingual Whisper models were trained on, by ISO 639-1 where there is such a code. */
const WHISPER_LANGUAGES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt ln ha ba jw su'.split(
    ' ',
  );
const SENSE_VOICE_LANGUAGES = ['zh', 'en', 'ja', 'ko'];

/** The languages of a model, from its kind and the names of its files; English where these do not tell. */
export function languagesOf(model: ModelDirectory): readonly string[] {
  if (model.kind === 'offline-sense-voice') return SENSE_VOICE_LANGUAGES;
  if (model.kind !== 'whisper') return ['en'];
  const names = [model.path, ...Object.values(model.files)].map(path => basename(path));
  return names.some(name => /\.en\b/.test(name)) ? ['en'] : WHISPER_LANGUAGES;
}
