import type { FileReport } from '../../measure/fileReport.ts';
import { isAgreement } from '../agreement.ts';
import { clock, NOTHING, percent, seconds } from '../figures.ts';
import { speakersTable } from '../groupTables.ts';
import { MEASURE_COLUMNS } from '../measureColumns.ts';
import { AGREEMENT_HTML, barHtml, failureMark, tableHtml } from './filesTableHtml.ts';
import { type Html, html } from './html.ts';
import { ruleCounts } from './summaryHtml.ts';

export interface RunDetails {
  readonly index: number;
  readonly title: string;
  readonly isOpen: boolean;
  /** Reason for missing sound; null when there is sound. */
  readonly noSoundReason: string | null;
}

/** Renders one run: its measures, and the place that the script fills. */
export function runHtml(file: FileReport, { index, title, isOpen, noSoundReason }: RunDetails): Html {
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
    captions(file),
    mismatches(file),
  ];
  return html`<details class="run" id="run-${index}"${isOpen ? html` open` : null}>
<summary><h3><bdi>${title}</bdi></h3>${verdict}</summary>
${file.failure === undefined ? null : html`<p class="box">${failureMark(file)} ${file.failure}</p>`}
${noSoundReason === null ? null : html`<p class="box soft">${noSoundReason}</p>`}
<div class="view" data-file="${index}"></div>
${file.words === null ? null : LEGEND}
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
  const most = Math.max(0, ...measured.map(({ delays }) => delays.max));
  const rows = measured.map(({ title, delays }) => [
    html`${title} <span class="soft">${delays.count}×</span>`,
    ...QUANTILES.map(name => html`${seconds(delays[name])}${barHtml(delays[name], most)}`),
  ]);
  return panel('Delay', tableHtml({ titles: ['Of', ...QUANTILES], rows, texts: 1 }));
}

const QUANTILES = ['p50', 'p95', 'p99', 'max'] as const;

function coverage({ coverage: part, coverageSeconds, coverageSpans }: FileReport): Html | null {
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

function captions(file: FileReport): Html | null {
  const { violations, brokenCues } = file;
  if (violations === 0) return null;
  const list = brokenCues.map(
    ({ ts, text, rules }) => html`<li>${clock(ts)} <q><bdi>${text}</bdi></q> ${rules.join(', ')}</li>`,
  );
  return panel(
    `Caption violations ${violations}`,
    html`<p class="soft">${ruleCounts(file)}</p>${list.length === 0 ? null : html`<ul>${list}</ul>`}`,
  );
}

function mismatches({ mismatches: list }: FileReport): Html | null {
  if (list.length === 0) return null;
  return panel('Mismatches', html`<ul>${list.map(text => html`<li><pre>${text}</pre></li>`)}</ul>`);
}
