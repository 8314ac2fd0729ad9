import type { PageFile } from '../pageData.ts';
import type { Peaks } from '../peaks.ts';
import { makeDifferences } from './differences.ts';
import type { PageAudio, PageDetails, PageDocument, PageElement } from './dom.ts';
import { dataOf, make } from './elements.ts';
import { createPosition } from './position.ts';
import { makeTimeLine } from './timeLine.ts';
import { makeWaveform } from './waveform.ts';

declare const document: PageDocument;
declare const location: { readonly hash: string };
declare function addEventListener(type: string, listener: () => void): void;

/** Starts the page: tables are sortable, runs are filled when they are opened. */
export function startPage(): void {
  for (const table of document.querySelectorAll('table.sortable')) makeSortable(table);
  for (const run of document.querySelectorAll('details.run')) {
    const fill = () => {
      if ((run as PageDetails).open) fillFile(run.querySelector('.view')!);
    };
    run.addEventListener('toggle', fill);
    fill();
  }
  addEventListener('hashchange', openTarget);
  openTarget();
}

/** Opens the run that the address links to. */
function openTarget(): void {
  const run = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  run?.setAttribute('open', '');
}

/** Fills the view of a run when it is opened, so that a page with many runs loads quickly. */
export function fillFile(place: PageElement): void {
  const file = dataOf<PageFile>(`file-${place.dataset.file}-data`);
  if (!file || place.children.length > 0) return;
  const audio = file.audio === null ? null : makeAudio(file.audio);
  const position = createPosition(audio, file.seconds);
  const peaks = file.audio === null ? undefined : dataOf<Peaks>(`peaks-${file.audio}`);
  const listen = make('div', 'listen');
  if (audio) listen.append(audio);
  place.append(listen);
  if (peaks || file.words.length > 0) place.append(makeWaveform(file, peaks, position));
  if (file.words.length === 0) return;
  const [strip, tools] = makeTimeLine(file, position);
  const [filter, text] = makeDifferences(file, position);
  tools.append(filter);
  place.append(strip, tools, text);
}

/** Makes a player for sound of the page; null when there is none. A blob allows seeking in every browser. */
function makeAudio(index: number): PageAudio | null {
  const data = document.getElementById(`audio-${index}`);
  if (!data) return null;
  const bytes = Uint8Array.from(atob(data.textContent), character => character.charCodeAt(0));
  const audio = make('audio', '') as PageAudio;
  audio.controls = true;
  audio.preload = 'auto';
  audio.src = URL.createObjectURL(new Blob([bytes], { type: data.dataset.type ?? '' }));
  return audio;
}

/** Makes the columns of a table sortable by the buttons in its head; cells may have a `data-value`. */
export function makeSortable(table: PageElement): void {
  const body = table.querySelector('tbody')!;
  const headers = [...table.querySelectorAll('thead th')];
  headers.forEach((header, column) => {
    header.querySelector('button')?.addEventListener('click', () => {
      const isRising = header.getAttribute('aria-sort') !== 'ascending';
      for (const other of headers) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', isRising ? 'ascending' : 'descending');
      body.append(...sortedRows([...body.querySelectorAll('tr')], column, isRising));
    });
  });
}

function sortedRows(rows: readonly PageElement[], column: number, isRising: boolean): PageElement[] {
  const cellOf = (row: PageElement) => row.children[column]?.dataset.value ?? '';
  return rows.toSorted((one, other) => {
    const [left, right] = [cellOf(one), cellOf(other)];
    // Rows without a value come last in either order.
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    const order = Number.isNaN(Number(left)) ? left.localeCompare(right) : Number(left) - Number(right);
    return isRising ? order : -order;
  });
}
