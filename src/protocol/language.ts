/** A language with optional script, region and variants, also with underscores, and with the suffixes of locales. */
const TAG = /^([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*(?:[.@][\w.@=-]*)?$/i;

/**
 * Returns the language of a tag, in lower case and without its region, which engines do not distinguish. A text that is not a tag
 * is returned unchanged, so that the caller can reject it by name.
 *
 * @example
 * languageOf('en-US') // 'en'
 * languageOf('zh_Hans_CN') // 'zh'
 */
export function languageOf(tag: string): string {
  return TAG.exec(tag)?.[1]?.toLowerCase() ?? tag;
}

/**
 * Returns the English name of a language, in lower case.
 *
 * @example
 * languageName('de') // 'german'
 */
export function languageName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(code)!.toLowerCase();
}

/** Options of `serve` that add languages to the recogniser. */
export const MORE_LANGUAGES = 'others by --model or --engine';

/** Returns the fault of a language that a service does not support. */
export function languageFault(language: string, languages: readonly string[], more?: string): string {
  const known = languages.join(', ') + (more ? `; ${more}` : '');
  return `must be a language of this service (${known}), not ${language}`;
}
