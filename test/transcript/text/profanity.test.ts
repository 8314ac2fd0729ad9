import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maskProfanity } from '../../../src/transcript/text/profanity.ts';

/** The dictionary that comes with SoundSwallower. */
const DICTIONARY = new URL('./model/en-us/dict.txt', import.meta.resolve('soundswallower'));

const PROFANE = [
  ...['arse', 'arsehole', 'ass', 'asses', 'asshole', 'assholes', 'asswipe', 'badass', 'bastard'],
  ...['bastards', 'batshit', 'bitch', 'bitches', 'bitching', 'bitchy', 'blowjob', 'bollocks'],
  ...['bullshit', 'bullshitting', 'clusterfuck', 'cocksucker', 'cunt', 'cunts', 'dickhead'],
  ...['dickheads', 'dipshit', 'douchebag', 'dumbass', 'faggot', 'faggots', 'fuck', 'fucked', 'fucker'],
  ...['fuckers', 'fuckhead', 'fuckin', 'fucking', 'fucks', 'fuckwit', 'gook', 'horseshit', 'jackass'],
  ...['kike', 'kikes', 'motherfucker', 'motherfucking', 'nigga', 'nigger', 'niggers', 'piss', 'pissed'],
  ...['pissing', 'prick', 'pricks', 'pussy', 'pussies', 'shat', 'shit', 'shithead', 'shithole'],
  ...['shits', 'shitting', 'shitty', 'slut', 'sluts', 'spic', 'tits', 'tosser', 'turd', 'twat'],
  ...['twats', 'wank', 'wanker', 'wankers', 'wanking', 'wetback', 'whore', 'whores', 'whoring'],
];

/** They hold a profane word, look like one, or have a sense that is none. */
const HARMLESS = [
  ...['scunthorpe', 'penistone', 'clitheroe', 'essex', 'sussex', 'middlesex', 'cockburn', 'cockerel'],
  ...['peacock', 'hancock', 'hitchcock', 'cocktail', 'cockroach', 'cockpit', 'woodcock', 'shuttlecock'],
  ...['dickens', 'dick', 'Dick', 'dickinson', 'benedick', 'shiitake', 'shitzu', 'pussycat'],
  ...['pussywillow', 'assassin', 'assess', 'bass', 'classic', 'glass', 'pass', 'grass', 'embarrass'],
  ...['cassette', 'massachusetts', 'analysis', 'analog', 'canal', 'therapist', 'grape', 'drape'],
  ...['scrape', 'basement', 'buttress', 'buttermilk', 'titan', 'titanic', 'title', 'constitution'],
  ...['tit-for-tat', 'circumstance', 'document', 'cucumber', 'cumin', 'accumulate', 'cumberland'],
  ...['nigeria', 'niger', 'nigel', 'niggle', 'snigger', 'denigrate', 'despicable', 'auspicious'],
  ...['spicy', 'raccoon', 'cocoon', 'tycoon', 'fukushima', 'hokusai', 'fuchsia', 'arsenal', 'parse'],
  ...['hearse', 'mississippi', 'assembly', 'molasses', 'harass', 'carcass', 'compass', 'trespass'],
  ...['pissarro', 'mishit', 'twatt', 'wankel', 'retardant', 'bastardo', 'trafficker', 'feckless'],
  ...['abo', 'assortment', 'assessment', 'flame-retardant', 'lolita', 'sex', 'god', 'hell', 'balls'],
  ...['damn', 'i', ''],
];

describe('profanity filter', () => {
  it.each([
    ['shit', 's**t'],
    ['bullshit', 'b******t'],
    ['motherfucker', 'm**********r'],
    ["motherfucker's", "m***********'s"],
    ['son-of-a-bitch', 's**-**-*-****h'],
    ['Bastards', 'B******s'],
    ['SHIT', 'S**T'],
    ['fucking', 'f*****g'],
    ["jackass's", "j******'s"],
  ])('writes %s as %s', (word, masked) => {
    expect(maskProfanity(word)).toBe(masked);
  });

  it('finds profane words in all their forms', () => {
    const shown = PROFANE.filter(word => maskProfanity(word) === word);
    expect(shown).toEqual([]);
    for (const word of PROFANE) expect(maskProfanity(word)).toMatch(/^[a-z]\*+[a-z]$/);
    for (const word of PROFANE) expect(maskProfanity(word)).toHaveLength(word.length);
  });

  it('keeps harmless words', () => {
    expect(HARMLESS.filter(word => maskProfanity(word) !== word)).toEqual([]);
  });

  it('masks less than one word in a thousand of a dictionary', () => {
    const words = new Set(readFileSync(DICTIONARY, 'utf8').match(/^[^\s(;]+/gm));
    const masked = [...words].filter(word => maskProfanity(word) !== word);
    expect(words.size).toBeGreaterThan(100_000);
    expect(masked.length).toBeLessThan(words.size / 1000);
    // All that was looked at by hand: what is not profane stands in the list of harmless words.
    expect(masked.filter(word => /cockpit|shiit|pussyc|retarda|slutsk|bebitch|half-cock/.test(word))).toEqual(
      [],
    );
  });
});
