import type { PageDetails, PageDocument } from './dom.ts';
import { fillFile } from './fileView.ts';
import { makeSortable } from './sortTable.ts';

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

/** A link to a run opens it. */
function openTarget(): void {
  const run = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  run?.setAttribute('open', '');
}
