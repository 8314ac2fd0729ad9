/** Characters of a name that is kept. */
export const MAX_FILE_NAME_LENGTH = 255;

/**
 * The base name of what somebody calls a file: never a path, and nothing that a terminal would act on.
 *
 * @returns undefined when nothing is left
 * @example
 * safeFileName('../talks/\u0007monday.wav') // 'monday.wav'
 */
export function safeFileName(name: string): string | undefined {
  // Others are control and format characters, such as those that turn the direction of writing, and halves of pairs.
  const base = name.split(/[/\\]/).at(-1)!.replaceAll(/\p{C}/gu, '').trim();
  const safe = base.slice(0, MAX_FILE_NAME_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return /^\.{0,2}$/.test(safe) ? undefined : safe;
}

/**
 * What a downloaded file is called: as the server says, or else as the path of its address ends.
 *
 * @param disposition value of the Content-Disposition header, as Node gives it
 */
export function downloadName(url: URL, disposition?: string): string | undefined {
  return (disposition && dispositionName(disposition)) || safeFileName(decodePercent(url.pathname));
}

/** The file name in a Content-Disposition (RFC 6266): the extended form before the plain one. */
function dispositionName(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return safeFileName(decodePercent(extended));
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition);
  if (!plain) return undefined;
  const name = plain[1]?.replaceAll(/\\(.)/g, '$1') ?? plain[2]!;
  return safeFileName(decodeHeader(name));
}

/** Malformed escapes stay as they are. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Node reads headers as Latin-1, while those who send more than ASCII send UTF-8. */
function decodeHeader(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
