/** Returns a word, or a few, without the punctuation around it. */
export const bareWord = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Returns the name of a language in English, or in another language; its tag where it has no name. */
export function languageName(tag: string, inLanguage = 'en'): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
