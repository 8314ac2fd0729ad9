type Attributes = Readonly<Record<string, string | number>>;

/** An element of elements; names are taken as they are. */
export function element(tag: string, attributes: Attributes, children: readonly string[] = []): string {
  const start = `<${tag}${attributesXml(attributes)}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join('\n')}\n</${tag}>`;
}

/** An element of text. */
export function textElement(tag: string, attributes: Attributes, text: string): string {
  return `<${tag}${attributesXml(attributes)}>${escapeText(text)}</${tag}>`;
}

function attributesXml(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
}

// XML 1.0 has tab, line feed, carriage return, and what is from space on without halves of surrogate pairs.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** What XML cannot say becomes U+FFFD; a carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text
    .replace(FORBIDDEN, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** As they are, tabs and line feeds of an attribute would be read as spaces. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
