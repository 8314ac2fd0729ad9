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
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { joined, readSampleSpeech, silence } from './sampleSpeech.ts';

/** A directory of `LANGUAGE/SOURCE/` with audio files; short ones are joined. `none` is for what is no speech. */
const LANGUAGE_DATA = process.env.RXSCRIBE_LANGUAGE_DATA;
/** English speech: a directory with 16 kHz mono WAV files and a `manifest.jsonl` of `wav`. */
const SPEECH_DATA = process.env.RXSCRIBE_SPEECH_DATA;
const CLIP_FRAMES = 8 * 16_000;
/** Clips of each source. */
const MAX_CLIPS = Number(process.env.RXSCRIBE_LANGUAGE_CLIPS ?? 4);

export interface LanguageClip {
  readonly language: string;
  /** Speaker, where known. */
  readonly source: string;
  readonly samples: Int16Array;
}

/** English speech file by file, and clips of 8 s of the other directory; without these, a sample. */
export function languageClips(): readonly LanguageClip[] {
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
