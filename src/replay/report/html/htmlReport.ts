import { createHash } from 'node:crypto';
import type { FileReport } from '../../measure/fileReport.ts';
import { commonErrorsTable, groupTables, worstFiles } from '../commonErrors.ts';
import { VERDICT_MARKS, verdictOf } from '../figures.ts';
import type { Report, ReportMedia } from '../report.ts';
import { filesTableHtml, sectionHtml } from './filesTableHtml.ts';
import { type Html, html, rawHtml, scriptJson } from './html.ts';
import type { PageFile, PageSpan } from './pageData.ts';
import { pageScript } from './pageScript.ts';
import { PAGE_STYLE } from './pageStyle.ts';
import { placeWords } from './placeWords.ts';
import { type PlayableAudio, playableAudio } from './playableAudio.ts';
import { runHtml } from './runHtml.ts';
import { summaryHtml } from './summaryHtml.ts';

export interface HtmlOptions {
  readonly signal?: AbortSignal;
  /** Maximum size of the sound in a page in bytes; files that do not fit have none. Default 20 MiB, some two hours. */
  readonly maxSoundBytes?: number;
}

/** Defaults of {@link HtmlOptions}. */
export const HTML_DEFAULTS = { maxSoundBytes: 20 * 1024 * 1024 } as const;

/**
 * Formats a report as a self-contained HTML page: it includes its script, style and sound, and its policy forbids
 * external resources. The page is in pieces, because the sound of hours would be copied with every joined string.
 *
 * @throws the signal's reason
 */
export async function htmlReport(
  report: Report,
  media: ReportMedia,
  options: HtmlOptions = {},
): Promise<Iterable<string>> {
  const { signal = new AbortController().signal, maxSoundBytes = HTML_DEFAULTS.maxSoundBytes } = options;
  const sounds = await soundsOf(report, media, { signal, maxSoundBytes });
  const names = [...sounds.keys()];
  const withWords = report.files.filter(({ alignment }) => alignment.length > 0);
  const shown = worstFiles(withWords, 1)[0] ?? withWords[0] ?? report.files[0];
  const runs = report.files.map((file, index) =>
    runHtml(file, {
      index,
      isOpen: file === shown,
      noSoundReason: noSoundReason(sounds.get(file.name)),
    }),
  );
  const data = report.files.map((file, index) => {
    const audio = names.indexOf(file.name);
    return dataElement(`file-${index}-data`, pageFile(file, audio < 0 ? null : audio));
  });
  const script = await pageScript();
  const errors = commonErrorsTable(report.files);
  const content = [
    summaryHtml(report),
    filesTableHtml(report),
    ...groupTables(report).map(sectionHtml),
    html`<section><h2>Words</h2><noscript><p class="box">Words, sound and waveforms require scripts. Enable scripts for this page.</p></noscript>${runs}</section>`,
    ...(errors.rows.length > 0 ? [sectionHtml(errors)] : []),
    ...data,
  ];
  return pagePieces(report, { script, content, sounds: [...sounds.values()] });
}

async function soundsOf(
  { files }: Report,
  media: ReportMedia,
  { signal, maxSoundBytes }: Required<Pick<HtmlOptions, 'signal' | 'maxSoundBytes'>>,
): Promise<ReadonlyMap<string, PlayableAudio>> {
  const sounds = new Map<string, PlayableAudio>();
  let room = maxSoundBytes;
  for (const name of new Set(files.map(file => file.name))) {
    signal.throwIfAborted();
    const found = media.get(name);
    if (!found) continue;
    const sound = await playableAudio(found.audio, { signal, maxBytes: room });
    room -= sound.sound?.bytes.length ?? 0;
    sounds.set(name, sound);
  }
  return sounds;
}

function noSoundReason(sound: PlayableAudio | undefined): string | null {
  if (!sound) return 'This page has no audio. The file was not available when the page was written.';
  return sound.missing === null ? null : `This page has no audio. ${sound.missing}`;
}

function pageFile(file: FileReport, audio: number | null): PageFile {
  const spans = file.coverageSpans.filter((span): span is typeof span & PageSpan => span.kind !== 'final');
  return {
    seconds: Math.max(file.seconds, 0.001),
    audio,
    words: placeWords(file.alignment, file.seconds),
    spans: spans.map(({ ts, endTs, kind }) => ({ ts, endTs, kind })),
  };
}

function dataElement(id: string, value: unknown): Html {
  return html`<script type="application/json" id="${id}">${scriptJson(value)}</script>\n`;
}

function* soundPieces({ peaks, sound }: PlayableAudio, index: number): Generator<string> {
  if (peaks) yield dataElement(`peaks-${index}`, peaks).markup;
  if (!sound) return;
  const { type, bytes } = sound;
  yield html`<script type="text/plain" id="audio-${index}" data-type="${type}">`.markup;
  yield Buffer.from(bytes).toString('base64');
  yield '</script>\n';
}

interface PageParts {
  readonly script: string;
  readonly content: readonly Html[];
  readonly sounds: readonly PlayableAudio[];
}

function* pagePieces(report: Report, { script, content, sounds }: PageParts): Generator<string> {
  yield pageHead(report, script).markup;
  for (const { markup } of content) yield markup;
  for (const [index, sound] of sounds.entries()) yield* soundPieces(sound, index);
  yield `\n</main>\n<script>${script}</script>\n</body>\n</html>\n`;
}

function pageHead({ suite, gate }: Report, script: string): Html {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(PAGE_STYLE)}`,
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${VERDICT_MARKS[verdictOf(gate)]} ${suite}</title>
<style>${rawHtml(PAGE_STYLE)}</style>
</head>
<body>
<main>
`;
}
