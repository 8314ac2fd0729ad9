/**
 * Real speech in Debian's packages: prompts for telephones, words for children. To fill a directory:
 *
 *     for l in en es fr it; do apt-get download asterisk-core-sounds-$l-g722; dpkg -x asterisk-core-sounds-$l-g722*.deb tree/$l; mkdir -p speech/$l; find tree/$l -name '*.g722' -exec cp {} speech/$l ';'; done
 *     apt-get download ktuberling-data; dpkg -x ktuberling-data*.deb tree; cp -r tree/usr/share/ktuberling/sounds/de speech
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageConfidence } from '../../../src/engines/languageIdentifier.ts';
import { createWordLoopIdentifier } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

/** A directory with a folder for each language (ISO 639-1), with audio files in it; short ones are joined. */
const LANGUAGE_DATA = process.env.RXSCRIBE_LANGUAGE_DATA;
const CLIP_FRAMES = 8 * 16_000;
const MAX_CLIPS = 10;

interface Clip {
  readonly language: string;
  readonly samples: Int16Array;
}

/** How often the language is told, beside chance, and whether confidences hold. */
export async function run(): Promise<void> {
  await using identifier = createWordLoopIdentifier();
  const heard: { clip: Clip; ranked: readonly LanguageConfidence[] }[] = [];
  let seconds = 0;
  const cpuSeconds = await cpuSecondsOf(async () => {
    for (const clip of clips()) {
      seconds += clip.samples.length / 16_000;
      heard.push({ clip, ranked: await identifier.identify([clip.samples]) });
    }
  });
  const known = heard.filter(({ clip }) => identifier.languages.includes(clip.language));
  const rows = [...new Set(heard.map(({ clip }) => clip.language)), 'all known'].map(language => {
    const chosen = language === 'all known' ? known : heard.filter(({ clip }) => clip.language === language);
    const share = (holds: (clip: Clip, ranked: readonly LanguageConfidence[]) => boolean) =>
      Math.round((100 * chosen.filter(({ clip, ranked }) => holds(clip, ranked)).length) / chosen.length);
    const confidence =
      chosen.reduce((sum, { ranked }) => sum + (ranked[0]?.confidence ?? 0), 0) / chosen.length;
    return {
      language,
      clips: chosen.length,
      'top 1 %': share((clip, ranked) => ranked[0]?.language === clip.language),
      'top 3 %': share((clip, ranked) => ranked.slice(0, 3).some(each => each.language === clip.language)),
      'English or not %': share((clip, [top]) => (top?.language === 'en') === (clip.language === 'en')),
      'chance top 1 %': Math.round(100 / identifier.languages.length),
      'mean confidence %': Math.round(100 * confidence),
    };
  });
  console.table(rows);
  console.log(`CPU / real time, all languages: ${(cpuSeconds / seconds).toFixed(2)}`);
}

function clips(): readonly Clip[] {
  if (!LANGUAGE_DATA) return [{ language: 'en', samples: readSampleSpeech('sense-and-sensibility') }];
  return readdirSync(LANGUAGE_DATA).flatMap(language =>
    clipsIn(join(LANGUAGE_DATA, language)).map(samples => ({ language, samples })),
  );
}

/** Every n-th file first, so that a clip has prompts of many kinds. */
function clipsIn(directory: string): readonly Int16Array[] {
  const files = readdirSync(directory).sort();
  const found: Int16Array[] = [];
  let clip: Int16Array = new Int16Array(0);
  for (let index = 0; index < files.length && found.length < MAX_CLIPS; index++) {
    const file = files[(index * 37) % files.length]!;
    clip = joined(clip, decode(join(directory, file)), silence(0.2));
    if (clip.length < CLIP_FRAMES) continue;
    found.push(clip);
    clip = new Int16Array(0);
  }
  return found;
}

function decode(path: string): Int16Array {
  // Nothing in a file of G.722 says that it is one.
  const format = path.endsWith('.g722') ? ['-f', 'g722'] : [];
  const bytes = execFileSync(
    'ffmpeg',
    ['-loglevel', 'error', ...format, '-i', path, '-ac', '1', '-ar', '16000', '-f', 's16le', '-'],
    { maxBuffer: 1 << 28 },
  );
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
