import type { Measures } from '../../measure/measures.ts';
import { percent } from '../figures.ts';
import { barHtml } from './filesTableHtml.ts';
import { type Html, html } from './html.ts';

/** Renders the errors of each speaker; null when the reference names none. */
export function speakersHtml({ speakers }: Pick<Measures, 'speakers'>): Html | null {
  if (speakers.length === 0) return null;
  const rows = speakers.map(
    ({ speaker, wer, words }) =>
      html`<tr><th><bdi>${speaker}</bdi></th><td class="number">${percent(wer)}${barHtml(wer, 1)}</td><td class="number">${words.tokens}</td></tr>`,
  );
  return html`<table><thead><tr><td></td><th class="number">WER</th><th class="number">words</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Renders the recall of each keyword; null when none are given. */
export function keywordsHtml({ keywords }: Pick<Measures, 'keywords'>): Html | null {
  if (!keywords) return null;
  const rows = keywords.keywords.map(
    ({ keyword, said, heard }) =>
      html`<tr><th><bdi>${keyword}</bdi></th><td class="number">${heard < said ? html`<span class="bad">✗</span> ` : null}${heard} of ${said}</td></tr>`,
  );
  return html`<table>${rows}</table>`;
}
