import type { PageElement } from './dom.ts';

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
    // What has no value comes last, whichever way.
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    const order = Number.isNaN(Number(left)) ? left.localeCompare(right) : Number(left) - Number(right);
    return isRising ? order : -order;
  });
}
