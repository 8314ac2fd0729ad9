/** A piece of a page: text in which all that is not markup is escaped. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | readonly Part[];

/**
 * Markup with values in it, escaped unless they are markup themselves; of lists all, of null nothing. Attributes are
 * written with quotes.
 *
 * @example
 * html`<p title="${title}">${words.map(word => html`<b>${word}</b>`)}</p>`;
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((text, index) => text + markupOf(parts[index] ?? null)).join('') };
}

/** What is markup already. */
export function rawHtml(markup: string): Html {
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}

/** JSON that nothing can end the script element of: neither `</script` nor `<!--`, nor a line separator. */
export function scriptJson(value: unknown): Html {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return rawHtml(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped));
}
