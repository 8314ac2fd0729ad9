/** A piece of a page in which everything but markup is escaped. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | readonly Part[];

/**
 * Builds markup from a template. Values are escaped unless they are markup; lists are joined, and null is empty.
 * Attributes have to be in quotes.
 *
 * @example
 * html`<p title="${title}">${words.map(word => html`<b>${word}</b>`)}</p>`;
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((text, index) => text + markupOf(parts[index] ?? null)).join('') };
}

/** Marks a text as markup. */
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

/** Escapes text and attributes in quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '');
}

/** Formats JSON for a script element, without `</script`, `<!--` and line separators, which could end it. */
export function scriptJson(value: unknown): Html {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return rawHtml(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped));
}
