import { useState } from 'preact/hooks';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { useDesk } from './desk.ts';
import type { DeskAction } from './keys/actions.ts';
import { keysOf } from './keys/bindings.ts';
import { ActionGroups, Keys } from './keys/Keys.tsx';

/** The dialog with all keys, and the effects of a click. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const { choices, handlers } = useDesk();
  const [wanted, setWanted] = useState('');
  const isWanted = ({ id, group, title }: DeskAction) =>
    [group, title, ...keysOf(id, choices)].join(' ').toLowerCase().includes(wanted.trim().toLowerCase());
  return (
    <Dialog title="Help" onClose={onClose} isWide>
      <input
        type="search"
        data-first
        aria-label="Search the help"
        placeholder="Search"
        value={wanted}
        onInput={event => setWanted(event.currentTarget.value)}
      />
      <div class="help">
        {wanted.trim() === '' && (
          <section>
            <h3>The text</h3>
            <ul>
              <li>
                A line is a turn of one speaker. Enter splits it; Backspace at its start joins it to the one
                before.
              </li>
              <li>
                A click on a word puts the cursor there. While the audio is paused, the audio goes there too;
                while it plays, hold Ctrl. The settings have other ways.
              </li>
              <li>Words keep their times. Typed words get their times automatically, a little later.</li>
              <li>
                What you type is saved all the time, and kept in this browser while the server is out of
                reach.
              </li>
              <li>
                Pausing steps back a little, so that playing goes on with the words that you heard last.
              </li>
            </ul>
          </section>
        )}
        <ActionGroups filter={isWanted}>
          {actions => (
            <dl class="keys">
              {actions.map(({ id, title }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>
                    {keysOf(id, choices).map(chord => (
                      <Keys key={chord} chord={chord} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </ActionGroups>
      </div>
      <footer>
        <Button onClick={handlers.keys}>Change keys</Button>
      </footer>
    </Dialog>
  );
}
