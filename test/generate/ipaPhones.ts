import ipaSounds from './ipaSounds.json' with { type: 'json' };

/**
 * Sounds of other languages as phones of the English acoustic model, nearest first by ear: what has no counterpart
 * becomes what an English speaker would say. Where espeak-ng says `??`, it means a short `ʊɾ`. Stress and length are left out.
 */
const SOUNDS: Readonly<Record<string, string>> = ipaSounds;

const LONGEST = Math.max(...Object.keys(SOUNDS).map(sound => sound.length));
/** Stress, length, tone, tie and other marks that espeak-ng writes. */
const MARKS = /[ˈˌː_\-\s.ʲ1]|\u032a|\u0329|\u032f|\u0361/gu;

/**
 * A pronunciation in the phonetic alphabet as English phones.
 *
 * @throws Error for a sound that the table does not have
 */
export function phonesOfIpa(ipa: string): readonly string[] {
  const rest = ipa.normalize('NFC').replace(MARKS, '');
  const phones: string[] = [];
  for (let at = 0; at < rest.length; ) {
    const sound = soundAt(rest, at);
    if (sound === undefined) throw new Error(`map a pronunciation: no phone for ${rest.slice(at)} in ${ipa}`);
    for (const phone of SOUNDS[sound]!.split(' ')) if (phone && phone !== phones.at(-1)) phones.push(phone);
    at += sound.length;
  }
  return phones;
}

function soundAt(text: string, at: number): string | undefined {
  for (let length = LONGEST; length > 0; length--) {
    const sound = text.slice(at, at + length);
    if (sound.length === length && sound in SOUNDS) return sound;
  }
  return undefined;
}
