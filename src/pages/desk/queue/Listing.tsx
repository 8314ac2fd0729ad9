import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../fields.tsx';
import { Section } from '../../Section.tsx';

interface ListingProps<Item> {
  readonly title: string;
  readonly hint?: string;
  readonly empty?: string;
  readonly columns: readonly string[];
  readonly read: () => Promise<readonly Item[]>;
  readonly row: (item: Item) => readonly ComponentChildren[];
}

const SHOWN = 200;

/** A list that is read once. */
export function Listing<Item>({ title, hint, empty = 'None yet.', columns, read, row }: ListingProps<Item>) {
  const [items, setItems] = useState<readonly Item[]>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    read().then(setItems, (error: Error) => setProblem(error.message));
  }, []);
  return (
    <Section title={title}>
      {hint && <p class="hint">{hint}</p>}
      <Problem text={problem} />
      {items?.length === 0 && <p class="hint">{empty}</p>}
      {items && items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
        <div class="scroller" tabIndex={0}>
          <table aria-label={title}>
            <thead>
              <tr>
                {columns.map(column => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.slice(0, SHOWN).map((item, index) => (
                <tr key={index}>
                  {row(item).map((cell, column) => (
                    <td key={columns[column]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {items.length > SHOWN && (
            <p class="hint">
              The first {SHOWN} of {items.length} are shown.
            </p>
          )}
        </div>
      )}
    </Section>
  );
}
