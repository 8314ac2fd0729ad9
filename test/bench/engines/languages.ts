import type { LanguageConfidence, LanguageIdentifier } from '../../../src/engines/languageIdentifier.ts';
import { collectSpeech } from '../../../src/engines/languages/collectSpeech.ts';
import { compareLanguages } from '../../../src/engines/languages/compareLanguages.ts';
import { rankLanguages } from '../../../src/engines/languages/rankLanguages.ts';
import { WORD_LANGUAGES } from '../../../src/engines/languages/readLanguages.ts';
import { LANGUAGE_CALIBRATION } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { createWhisperIdentifier } from '../../../src/engines/onnx/whisperIdentifier.ts';
import { locatePocketSphinx } from '../../../src/engines/pocketsphinx/locate.ts';
import { createVoiceDetector } from '../../../src/engines/voice/voiceDetector.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { fitLanguages, type HeardClip } from '../../helpers/fitLanguages.ts';
import { type LanguageClip, languageClips } from '../../helpers/languageClips.ts';

/** A model directory; one of another kind than Whisper is not for this. */
const MODEL = process.env.RXSCRIBE_MODEL;

interface Told {
  readonly clip: LanguageClip;
  readonly ranked: readonly LanguageConfidence[];
}

/** How often the language is told, beside chance, and whether confidences hold. */
export async function run(): Promise<void> {
  const all = languageClips();
  const seconds = all.reduce((sum, { samples }) => sum + samples.length, 0) / 16_000;
  let heard: readonly (HeardClip & { readonly clip: LanguageClip })[] = [];
  const cpuSeconds = await cpuSecondsOf(async () => {
    heard = await hear(all);
  });
  const rank = ({ heard, voicedSeconds }: HeardClip, calibration = LANGUAGE_CALIBRATION) =>
    rankLanguages(heard, voicedSeconds, calibration);
  report(
    'word loops',
    heard.map(each => ({ clip: each.clip, ranked: rank(each) })),
    WORD_LANGUAGES,
  );
  const held = heldOut(heard);
  if (held) {
    const told = heard.map(each => ({ clip: each.clip, ranked: rank(each, held(each.clip)) }));
    report('word loops, calibrated by the other sources only', told, WORD_LANGUAGES);
  }
  console.log(`word loops, CPU / real time: ${(cpuSeconds / seconds).toFixed(2)}`);
  const model = MODEL ? await inspectModel(MODEL) : undefined;
  if (model?.kind !== 'whisper') return;
  await using whisper = await createWhisperIdentifier({ model });
  report('whisper', await identify(whisper, all), whisper.languages);
}

/** What the word loops make of clips; of what has no voice, no words. */
async function hear(
  all: readonly LanguageClip[],
): Promise<readonly (HeardClip & { readonly clip: LanguageClip })[]> {
  const files = await locatePocketSphinx();
  const heard: (HeardClip & { readonly clip: LanguageClip })[] = [];
  for (const clip of all) {
    using detector = await createVoiceDetector();
    const { samples, voicedSeconds } = await collectSpeech([clip.samples], detector, { maxSeconds: 15 });
    const words = samples.length > 0 ? await compareLanguages({ files, samples }) : {};
    heard.push({ clip, language: clip.language, heard: words, voicedSeconds });
  }
  return heard;
}

/** A calibration for each clip that its own source had no part in; none where a language has one source only. */
function heldOut(heard: readonly (HeardClip & { readonly clip: LanguageClip })[]) {
  const spoken = heard.filter(({ language }) => (WORD_LANGUAGES as readonly string[]).includes(language));
  const nameOf = ({ language, source }: LanguageClip) => `${language}/${source}`;
  const sources = new Set(spoken.map(({ clip }) => nameOf(clip)));
  const fits = [...sources].map(source => {
    const others = spoken.filter(({ clip }) => nameOf(clip) !== source);
    const languages = new Set(others.map(({ language }) => language));
    if (languages.size < WORD_LANGUAGES.length) return undefined;
    return [source, fitLanguages(others, LANGUAGE_CALIBRATION)] as const;
  });
  const found = fits.filter(fit => fit !== undefined);
  if (found.length === 0 || found.length < fits.length) return undefined;
  const calibrations = new Map(found);
  return (clip: LanguageClip) => calibrations.get(nameOf(clip)) ?? LANGUAGE_CALIBRATION;
}

async function identify(engine: LanguageIdentifier, all: readonly LanguageClip[]): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const clip of all) told.push({ clip, ranked: await engine.identify([clip.samples]) });
  return told;
}

function report(name: string, told: readonly Told[], languages: readonly string[]): void {
  console.log(name);
  const known = told.filter(({ clip }) => languages.includes(clip.language));
  const groups = [...new Set(told.map(({ clip }) => clip.language))].map(
    language => [language, told.filter(({ clip }) => clip.language === language)] as const,
  );
  console.table(
    [...groups, ['all known', known] as const].map(([language, chosen]) => ({
      language,
      ...accuracy(chosen, languages),
    })),
  );
  const fifthOf = ({ ranked: [top] }: Told) => Math.min(4, Math.floor(5 * (top?.confidence ?? 0)));
  const bins = Object.entries(Object.groupBy(known, fifthOf)).map(([fifth, chosen = []]) => ({
    'confidence from %': 20 * Number(fifth),
    clips: chosen.length,
    'right %': percent(chosen, ({ clip, ranked: [top] }) => top?.language === clip.language),
  }));
  console.table(bins);
}

function accuracy(chosen: readonly Told[], languages: readonly string[]) {
  const confidences = chosen.map(({ ranked: [top] }) => Math.round(100 * (top?.confidence ?? 0)));
  const mean = confidences.reduce((sum, each) => sum + each, 0) / confidences.length;
  return {
    clips: chosen.length,
    'top 1 %': percent(chosen, ({ clip, ranked: [top] }) => top?.language === clip.language),
    'top 3 %': percent(chosen, ({ clip, ranked }) =>
      ranked.slice(0, 3).some(({ language }) => language === clip.language),
    ),
    'English or not %': percent(
      chosen,
      ({ clip, ranked: [top] }) => (top?.language === 'en') === (clip.language === 'en'),
    ),
    'chance top 1 %': Math.round(100 / languages.length),
    'confidence mean %': Math.round(mean),
    'highest %': Math.max(...confidences),
  };
}

function percent(chosen: readonly Told[], holds: (told: Told) => boolean): number {
  return Math.round((100 * chosen.filter(holds).length) / chosen.length);
}
