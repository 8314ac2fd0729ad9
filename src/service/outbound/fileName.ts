/** Maximum characters of a file name. */
export const MAX_FILE_NAME_LENGTH = 255;

/**
 * Returns the base name of a given file name: never a path, and without control characters.
 *
 * @returns undefined when nothing is left
 * @example
 * safeFileName('../talks/\u0007monday.wav') // 'monday.wav'
 */
export function safeFileName(name: string): string | undefined {
  // `\p{C}` covers control and format characters, such as those that change the direction of writing, and surrogates.
  const base = name
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  const safe = base.slice(0, MAX_FILE_NAME_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return /^\.{0,2}$/.test(safe) ? undefined : safe;
}

/**
 * Returns the name of a downloaded file: from the server, else from the path of its address.
 *
 * @param disposition value of the Content-Disposition header, as decoded by Node
 */
export function downloadName(url: URL, disposition?: string): string | undefined {
  return (disposition && dispositionName(disposition)) || safeFileName(decodePercent(url.pathname));
}

/** Returns the file name of a Content-Disposition header (RFC 6266), preferring the extended form. */
function dispositionName(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return safeFileName(decodePercent(extended));
  const [, quoted, token = ''] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition) ?? [];
  return safeFileName(decodeHeader(quoted?.replaceAll(/\\(.)/g, '$1') ?? token));
}

/** Decodes percent escapes; returns malformed text unchanged. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes UTF-8 from a header, which Node reads as Latin-1. */
function decodeHeader(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
