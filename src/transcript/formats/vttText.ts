const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The references that WebVTT files use (https://www.w3.org/TR/webvtt1/#webvtt-cue-text). */
const REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
};

/** Text as it stands in a WebVTT cue. */
export function escapeVtt(text: string): string {
  return text.replace(/[&<>]/g, mark => ESCAPES[mark]!);
}

/** The text of a WebVTT cue without its tags and escapes. */
export function plainVtt(payload: string): string {
  return unescapeVtt(payload.replace(/<[^>]*>?/g, ''));
}

/** The annotation of the first voice span of a WebVTT cue. */
export function voiceOf(payload: string): string | undefined {
  const annotation = /<v(?:\.[^\s<>]*)?\s([^<>]*)>/.exec(payload)?.[1];
  return annotation === undefined
    ? undefined
    : unescapeVtt(annotation.replace(/\s+/gu, ' ').trim()) || undefined;
}

/** Text with the characters that its references stand for; SubRip files have the same. */
export function unescapeVtt(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([a-z]{1,8}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return REFERENCES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
