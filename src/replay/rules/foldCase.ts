/** Languages in which I and i are two letters: https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt, status T. */
const DOTTED = /^(?:tr|az)(?:-|$)/i;

/**
 * Full case folding by Unicode, in which "Straße" and "STRASSE" are the same; final sigma is sigma.
 *
 * @param locale BCP 47; Turkish and Azerbaijani keep dotless i apart
 */
export function foldCase(text: string, locale: string): string {
  if (DOTTED.test(locale)) return fold(text.replaceAll('I', '\u0131').replaceAll('\u0130', 'i'));
  return fold(text);
}

/** To upper case and back finds what folds to several letters; dotless i has a capital, but folds to itself. */
function fold(text: string): string {
  return text
    .split('\u0131')
    .map(part => part.toLowerCase().toUpperCase().toLowerCase())
    .join('\u0131')
    .replaceAll('\u03C2', '\u03C3');
}
