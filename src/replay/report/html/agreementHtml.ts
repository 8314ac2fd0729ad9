import { AGREEMENT_NOTE } from '../agreement.ts';
import { html } from './html.ts';

/** What the mark behind a rate means. */
export const AGREEMENT_HTML = html`<p class="soft">${AGREEMENT_NOTE}</p>`;
