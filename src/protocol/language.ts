/** A language with what may follow it: a script, a region, variants; also with underscores, and as locales end. */
const TAG = /^([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*(?:[.@][\w.@=-]*)?$/i;

/**
 * Returns the language that a tag begins with, in lower case: engines know languages, not regions. Anything that is no
 * tag is returned as it is, for whoever knows the languages to refuse.
 *
 * @example
 * languageOf('en-US') // 'en'
 * languageOf('zh_Hans_CN') // 'zh'
 */
export function languageOf(tag: string): string {
  return TAG.exec(tag)?.[1]?.toLowerCase() ?? tag;
}
