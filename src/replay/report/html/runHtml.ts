import type { FileReport } from '../../measure/fileReport.ts';
import { speakersTable } from '../commonErrors.ts';
import { clock, isAgreement, NOTHING, percent, seconds } from '../figures.ts';
import { MEASURE_COLUMNS } from '../measureColumns.ts';
import { AGREEMENT_HTML, failureMark, tableHtml } from './filesTableHtml.ts';
import { type Html, html } from './html.ts';

export interface RunDetails {
  readonly index: number;
  readonly isOpen: boolean;
  /** Reason for missing sound; null when there is sound. */
  readonly noSoundReason: string | null;
}

/** Renders one run: its measures, and the place that the script fills. */
export function runHtml(file: FileReport, { index, isOpen, noSoundReason }: RunDetails): Html {
  const errors = file.words
    ? `${file.words.substitutions} sub · ${file.words.deletions} del · ${file.words.insertions} ins · `
    : '';
  const verdict =
    file.failure === undefined
      ? html`<span class="figures">${file.wer === null ? null : MEASURE_COLUMNS.wer.text(file)} <span class="soft">${errors}${clock(file.seconds)}</span></span>`
      : html`<span class="figures">${failureMark(file)} failed</span>`;
  const panels = [
    facts(file),
    delays(file),
    coverage(file),
    file.speakers.length === 0 ? null : panel('Speakers', tableHtml(speakersTable(file))),
    keywords(file),
    mismatches(file),
  ];
  return html`<details class="run" id="run-${index}"${isOpen ? html` open` : null}>
<summary><h3><bdi>${file.name}</bdi></h3>${verdict}</summary>
${file.failure === undefined ? null : html`<p class="box">${failureMark(file)} ${file.failure}</p>`}
${noSoundReason === null ? null : html`<p class="box soft">${noSoundReason}</p>`}
<div class="view" data-file="${index}"></div>
${file.alignment.length === 0 ? null : LEGEND}
${isAgreement(file) ? AGREEMENT_HTML : null}
<div class="panels">${panels}</div>
</details>\n`;
}

const LEGEND = html`<p class="legend soft">
<span class="step substitution"><del>said</del><ins>heard</ins></span> substituted ≠
<span class="step deletion"><del>said</del></span> deleted −
<span class="step insertion"><ins>heard</ins></span> inserted +
<span class="swatch hole"></span> hole or inaudible <span class="swatch silence"></span> silence
</p>`;

/** Renders a panel; null without a content. */
function panel(title: string, content: Html | null): Html | null {
  return content && html`<section><h4>${title}</h4>${content}</section>\n`;
}

function facts(file: FileReport): Html | null {
  const { language, service, speed, durationSeconds } = file;
  const pairs = {
    Language: language,
    Service: service,
    Speed: speed === 'max' ? 'max' : `${speed}×`,
    Took: seconds(durationSeconds),
    CER: MEASURE_COLUMNS.cer.text(file),
    'Unstable partial words (UPWR)': MEASURE_COLUMNS.upwr.text(file),
    'Unstable partial segments (UPSR)': MEASURE_COLUMNS.upsr.text(file),
    Reconnects: MEASURE_COLUMNS.reconnects.text(file),
  };
  const known = Object.entries(pairs).filter(([, value]) => value !== NOTHING);
  const rows = known.map(([name, value]) => html`<tr><th>${name}</th><td class="number">${value}</td></tr>`);
  return panel('Run', html`<table>${rows}</table>`);
}

const DELAYS = [
  ['firstPartial', 'First partial'],
  ['word', 'Word'],
  ['final', 'Final'],
] as const;

function delays({ delay }: FileReport): Html | null {
  if (!delay) return null;
  const measured = DELAYS.flatMap(([name, title]) => (delay[name] ? [{ title, delays: delay[name] }] : []));
  const rows = measured.map(({ title, delays }) => [
    html`${title} <span class="soft">${delays.count}×</span>`,
    ...QUANTILES.map(name => seconds(delays[name])),
  ]);
  return panel('Delay', tableHtml({ titles: ['Of', ...QUANTILES], rows, texts: 1 }));
}

const QUANTILES = ['p50', 'p95', 'p99', 'max'] as const;

function coverage({ coverage: part, coverageSeconds, coverageSpans }: FileReport): Html | null {
  if (!coverageSeconds) return null;
  const totals = Object.entries(coverageSeconds).map(
    ([name, value]) => html`<tr><th>${name}</th><td class="number">${seconds(value)}</td></tr>`,
  );
  const holes = coverageSpans.filter(({ kind }) => kind === 'hole');
  const list = holes.map(
    ({ ts, endTs, cause }) =>
      html`<li>${clock(ts)} to ${clock(endTs)} (${seconds(endTs - ts)})${cause ? `: ${cause}` : ''}</li>`,
  );
  return panel(
    `Coverage ${percent(part)}`,
    html`<table>${totals}</table>${list.length === 0 ? null : html`<h5>Holes</h5><ul>${list}</ul>`}`,
  );
}

function keywords(file: FileReport): Html | null {
  const rows = (file.keywords?.keywords ?? []).map(({ keyword, said, heard }) => {
    const mark = heard < said ? html`<span class="bad">✗</span> ` : null;
    return html`<tr><th><bdi>${keyword}</bdi></th><td class="number">${mark}${heard} of ${said}</td></tr>`;
  });
  if (rows.length === 0) return null;
  return panel(`Keywords ${MEASURE_COLUMNS.keywords.text(file)}`, html`<table>${rows}</table>`);
}

function mismatches({ mismatches: list }: FileReport): Html | null {
  if (list.length === 0) return null;
  return panel('Mismatches', html`<ul>${list.map(text => html`<li><pre>${text}</pre></li>`)}</ul>`);
}
