import type { PageFile } from '../pageData.ts';
import type { Peaks } from '../peaks.ts';
import { makeDifferences } from './differences.ts';
import { dataOf, make } from './elements.ts';
import { createPosition } from './position.ts';
import { makeTimeLine } from './timeLine.ts';
import { makeWaveform } from './waveform.ts';

/** Starts the page: tables are sortable, runs are filled when they are opened. */
export function startPage(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('table.sortable')) makeSortable(table);
  for (const run of document.querySelectorAll<HTMLDetailsElement>('details.run')) {
    const place = run.querySelector<HTMLElement>('.view');
    const fill = () => {
      if (run.open && place) fillFile(place);
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
export function fillFile(place: HTMLElement): void {
  const file = dataOf<PageFile>(`file-${place.dataset.file}-data`);
  if (!file || place.children.length > 0) return;
  const audio = file.audio === null ? null : makeAudio(file.audio);
  const position = createPosition(audio, file.seconds);
  const peaks = file.audio === null ? undefined : dataOf<Peaks>(`peaks-${file.audio}`);
  const listen = make('div', 'listen');
  if (audio) listen.append(audio);
  place.append(listen);
  if (!peaks && file.words.length === 0) return;
  const wave = makeWaveform(file, peaks, position);
  if (file.words.length === 0) {
    place.append(wave);
    return;
  }
  const [strip, tools] = makeTimeLine(file, position, wave);
  const [filter, text] = makeDifferences(file, position);
  tools.append(filter);
  place.append(strip, tools, text);
}

/** Makes a player for sound of the page; null when there is none. A blob allows seeking in every browser. */
function makeAudio(index: number): HTMLAudioElement | null {
  const data = document.getElementById(`audio-${index}`);
  if (!data) return null;
  const bytes = Uint8Array.from(atob(data.textContent), character => character.charCodeAt(0));
  const audio = make('audio', '');
  audio.controls = true;
  audio.preload = 'auto';
  audio.src = URL.createObjectURL(new Blob([bytes], { type: data.dataset.type ?? '' }));
  return audio;
}

/** Makes the columns of a table sortable by the buttons in its head; cells may have a `data-value`. */
export function makeSortable(table: HTMLTableElement): void {
  const [body] = table.tBodies;
  const headers = [...table.querySelectorAll('thead th')];
  headers.forEach((header, column) => {
    header.querySelector('button')?.addEventListener('click', () => {
      const isRising = header.getAttribute('aria-sort') !== 'ascending';
      for (const other of headers) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', isRising ? 'ascending' : 'descending');
      body?.append(...sortedRows([...body.rows], column, isRising));
    });
  });
}

function sortedRows(rows: readonly HTMLTableRowElement[], column: number, isRising: boolean) {
  const cellOf = (row: HTMLTableRowElement) => row.cells[column]?.dataset.value ?? '';
  return rows.toSorted((one, other) => {
    const [left, right] = [cellOf(one), cellOf(other)];
    // Rows without a value come last in either order.
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    const order = Number.isNaN(Number(left)) ? left.localeCompare(right) : Number(left) - Number(right);
    return isRising ? order : -order;
  });
}
