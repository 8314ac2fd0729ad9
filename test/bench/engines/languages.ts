import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageConfidence, LanguageIdentifier } from '../../../src/engines/languageIdentifier.ts';
import { compareLanguages } from '../../../src/engines/languages/compareLanguages.ts';
import { type LanguageCalibration, rankLanguages } from '../../../src/engines/languages/rankLanguages.ts';
import { WORD_LANGUAGES } from '../../../src/engines/languages/soundingWords.ts';
import { LANGUAGE_CALIBRATION } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { recognizeByLanguage } from '../../../src/engines/languages/wordsEvidence.ts';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { createWhisperIdentifier } from '../../../src/engines/sherpa/whisperIdentifier.ts';
import { collectSpeech } from '../../../src/engines/voice/collectSpeech.ts';
import { createVoiceDetector } from '../../../src/engines/voice/voiceDetector.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { fitLanguages, type HeardClip } from '../../helpers/fitLanguages.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

/**
 * Real speech in Debian's packages: prompts for telephones and games, words for children. To fill a directory:
 *
 *     for l in en es fr it; do apt-get download asterisk-core-sounds-$l-g722; dpkg -x asterisk-core-sounds-$l-g722*.deb tree/$l; mkdir -p speech/$l/core; find tree/$l -name '*.g722' -exec cp --backup=numbered {} speech/$l/core ';'; done
 *     apt-get download ktuberling-data hedgewars-data; for p in ktuberling hedgewars; do dpkg -x $p-data*.deb tree; done
 *     for l in de fr; do cp -r tree/usr/share/ktuberling/sounds/$l speech/$l/ktuberling; done; mkdir speech/none; cp -r tree/usr/share/games/hedgewars/Data/Music speech/none
 *
 * More speakers are in asterisk-prompt-es-co, asterisk-prompt-fr-armelle, asterisk-prompt-it-menardi-wav,
 * tuxpaint-stamps-default (`*_desc_es.ogg`, `*_desc_fr.ogg`), unknown-horizons (`voice`) and hedgewars-data (`British`).
 */

/** A directory of `LANGUAGE/SOURCE/` with audio files; short ones are joined. `none` is for what is no speech. */
const LANGUAGE_DATA = process.env.RXSCRIBE_LANGUAGE_DATA;
/** English speech: a directory with 16 kHz mono WAV files and a `manifest.jsonl` of `wav`. */
const SPEECH_DATA = process.env.RXSCRIBE_SPEECH_DATA;
const CLIP_FRAMES = 8 * 16_000;
/** Clips of each source. */
const MAX_CLIPS = Number(process.env.RXSCRIBE_LANGUAGE_CLIPS ?? 4);

interface LanguageClip {
  readonly language: string;
  /** Speaker, where known. */
  readonly source: string;
  readonly samples: Int16Array;
}

/** English speech file by file, and clips of 8 s of the other directory; without these, a sample. */
function languageClips(): readonly LanguageClip[] {
  const sample = { language: 'en', source: 'samples', samples: readSampleSpeech('sense-and-sensibility') };
  const found: LanguageClip[] = SPEECH_DATA || LANGUAGE_DATA ? [] : [sample];
  if (SPEECH_DATA) {
    const lines = readFileSync(join(SPEECH_DATA, 'manifest.jsonl'), 'utf8').trim().split('\n');
    for (const line of lines) {
      const samples = decode(join(SPEECH_DATA, JSON.parse(line).wav));
      found.push({ language: 'en', source: 'speech data', samples });
    }
  }
  if (!LANGUAGE_DATA) return found;
  for (const language of readdirSync(LANGUAGE_DATA)) {
    for (const source of readdirSync(join(LANGUAGE_DATA, language))) {
      const directory = join(LANGUAGE_DATA, language, source);
      const files = readdirSync(directory).map(name => join(directory, name));
      found.push(...clipsOf(files).map(samples => ({ language, source, samples })));
    }
  }
  return found;
}

/** Every n-th file first, so that a clip has prompts of many kinds. */
function clipsOf(paths: readonly string[]): readonly Int16Array[] {
  const files = paths.toSorted();
  const found: Int16Array[] = [];
  let clip: Int16Array = new Int16Array(0);
  for (let index = 0; index < files.length && found.length < MAX_CLIPS; index++) {
    const file = files[(index * 37) % files.length]!;
    clip = joined(clip, decode(file), silence(0.2));
    if (clip.length < CLIP_FRAMES) continue;
    found.push(clip.subarray(0, CLIP_FRAMES));
    clip = new Int16Array(0);
  }
  return found;
}

function decode(path: string): Int16Array {
  // Nothing in such a file says what it is.
  const [, raw] = /\.(g722|gsm)\b/.exec(path) ?? [];
  const format = raw ? ['-f', raw] : [];
  const bytes = execFileSync(
    'ffmpeg',
    ['-loglevel', 'error', ...format, '-i', path, '-ac', '1', '-ar', '16000', '-f', 's16le', '-'],
    { maxBuffer: 1 << 28 },
  );
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** A model directory, ignored unless the model is a Whisper. */
const MODEL = process.env.RXSCRIBE_MODEL;

interface Result {
  readonly clip: LanguageClip;
  readonly ranked: readonly LanguageConfidence[];
}

/** Measures how often the language is right, next to chance, and whether confidences hold. */
export async function run(): Promise<void> {
  const all = languageClips();
  const seconds = all.reduce((sum, { samples }) => sum + samples.length, 0) / 16_000;
  let heard: readonly HeardLanguageClip[] = [];
  const cpuSeconds = await cpuSecondsOf(async () => {
    heard = await hear(all);
  });
  const alone = heard.map(({ recognized: _, ...each }) => each);
  reportCalibrations('word loops', alone);
  reportCalibrations('word loops and recogniser', heard);
  console.log(`word loops and recogniser, CPU / real time: ${(cpuSeconds / seconds).toFixed(2)}`);
  const model = MODEL ? await inspectModel(MODEL) : undefined;
  if (model?.kind !== 'whisper') return;
  await using whisper = await createWhisperIdentifier({ model });
  report('whisper', await identify(whisper, all), whisper.languages);
}

interface HeardLanguageClip extends HeardClip {
  readonly clip: LanguageClip;
}

function reportCalibrations(name: string, heard: readonly HeardLanguageClip[]): void {
  const toldBy = (calibrationOf: (clip: LanguageClip) => LanguageCalibration) =>
    heard.map(each => ({ clip: each.clip, ranked: rankLanguages(each, calibrationOf(each.clip)) }));
  report(
    name,
    toldBy(() => LANGUAGE_CALIBRATION),
    WORD_LANGUAGES,
  );
  const held = heldOut(heard);
  if (held) report(`${name}, calibrated by the other sources only`, toldBy(held), WORD_LANGUAGES);
}

/** Runs the word loops and the recogniser on clips; a clip without voice has no words. */
async function hear(all: readonly LanguageClip[]): Promise<readonly HeardLanguageClip[]> {
  await using recognizer = createMoonshineRecognizer({ processes: 1 });
  const { signal } = new AbortController();
  const heard: HeardLanguageClip[] = [];
  for (const clip of all) {
    using detector = await createVoiceDetector();
    const { samples, voicedSeconds } = await collectSpeech([clip.samples], detector, { maxSeconds: 15 });
    if (samples.length === 0) heard.push({ clip, language: clip.language, heard: {}, voicedSeconds });
    else {
      const recognized = await recognizeByLanguage(recognizer, samples, signal);
      const words = await compareLanguages(samples);
      heard.push({ clip, language: clip.language, heard: words, recognized, voicedSeconds });
    }
  }
  return heard;
}

/** Returns a calibration for each clip from other sources only; none where a language has a single source. */
function heldOut(heard: readonly HeardLanguageClip[]) {
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

async function identify(
  engine: LanguageIdentifier,
  all: readonly LanguageClip[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const clip of all) results.push({ clip, ranked: await engine.identify([clip.samples]) });
  return results;
}

function report(name: string, results: readonly Result[], languages: readonly string[]): void {
  console.log(name);
  const known = results.filter(({ clip }) => languages.includes(clip.language));
  const groups = [...new Set(results.map(({ clip }) => clip.language))].map(
    language => [language, results.filter(({ clip }) => clip.language === language)] as const,
  );
  console.table(
    [...groups, ['all known', known] as const].map(([language, chosen]) => ({
      language,
      ...accuracy(chosen, languages),
    })),
  );
  const fifthOf = ({ ranked: [top] }: Result) => Math.min(4, Math.floor(5 * (top?.confidence ?? 0)));
  const bins = Object.entries(Object.groupBy(known, fifthOf)).map(([fifth, chosen = []]) => ({
    'confidence from %': 20 * Number(fifth),
    clips: chosen.length,
    'right %': percent(chosen, ({ clip, ranked: [top] }) => top?.language === clip.language),
  }));
  console.table(bins);
}

function accuracy(chosen: readonly Result[], languages: readonly string[]) {
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

function percent(chosen: readonly Result[], holds: (result: Result) => boolean): number {
  return Math.round((100 * chosen.filter(holds).length) / chosen.length);
}
