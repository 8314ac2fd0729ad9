import { counted } from '../../base/text.ts';
import type { ControlState } from '../../captions/control/captionControl.ts';
import { Section } from '../Section.tsx';

/** The outputs of a source with their states. */
export function Outputs({ outputs }: Pick<ControlState, 'outputs'>) {
  return (
    <Section title="Outputs" class="card">
      {outputs.length === 0 && <p class="hint">There is no output.</p>}
      <ul class="outputs">
        {outputs.map(({ name, delaySeconds, waitingWords, shownText, failure, failures, skipped }) => (
          <li key={name} class={failure === undefined ? undefined : 'failing'}>
            <strong>{name}</strong>
            <span>{failure === undefined ? 'works' : `fails: ${failure}`}</span>
            {shownText !== '' && <q dir="auto">{shownText}</q>}
            <span class="hint">
              {delaySeconds > 0 && `${delaySeconds} s behind, ${counted(waitingWords, 'word')} waiting. `}
              {skipped > 0 && `${counted(skipped, 'text')} replaced by newer ones before they were sent. `}
              {failures > 0 && `${counted(failures, 'failed attempt')}.`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
