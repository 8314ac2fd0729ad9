import type { ControlState } from '../../captions/control/captionControl.ts';

/** The outputs of a source and how they do. */
export function Outputs({ outputs }: Pick<ControlState, 'outputs'>) {
  return (
    <section class="card" aria-labelledby="outputs-title">
      <h2 id="outputs-title">Outputs</h2>
      {outputs.length === 0 && <p class="hint">There is no output.</p>}
      <ul class="outputs">
        {outputs.map(({ name, delaySeconds, waitingWords, failure, failures, skipped }) => (
          <li key={name} class={failure === undefined ? undefined : 'failing'}>
            <strong>{name}</strong>
            <span>{failure === undefined ? 'works' : `fails: ${failure}`}</span>
            <span class="hint">
              {delaySeconds > 0 && `${delaySeconds} s behind, ${counted(waitingWords, 'word')} waiting. `}
              {skipped > 0 && `${counted(skipped, 'update')} skipped. `}
              {failures > 0 && `${counted(failures, 'failed attempt')}.`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
