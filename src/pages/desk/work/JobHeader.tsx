import type { DeskJobJson } from '../../../protocol/desk.ts';
import { Button } from '../../Button.tsx';
import { languageName } from '../../texts.ts';
import { clockText, dateText, dueText } from '../../times.ts';
import type { ClaimState } from '../claim.ts';
import type { SaveState } from '../editor/saveState.ts';
import type { Handlers } from '../keys/actions.ts';
import type { WorkView } from './startWork.ts';

export interface JobHeaderProps {
  readonly job: DeskJobJson;
  readonly view: WorkView | undefined;
  readonly handlers: Handlers;
}

/** Name of the job, its times, whether it is saved, and its actions. */
export function JobHeader({ job, view, handlers }: JobHeaderProps) {
  const name = job.name || job.id;
  return (
    <header class="job">
      <Button onClick={handlers.queue}>‹ Queue</Button>
      <div class="title">
        <h1 title={name}>
          <bdi>{name}</bdi>
        </h1>
        <p class="hint">
          {job.rush && <span class="rush">Rush</span>} {languageName(job.language)} ·{' '}
          {clockText(job.wanted_seconds)} to transcribe ·{' '}
          <span title={`${dateText(job.due_from)} to ${dateText(job.due_until)}`}>
            due {dueText(Date.parse(job.due_from), Date.parse(job.due_until), Date.now())}
          </span>
        </p>
      </div>
      {view && (
        <div class="states">
          <State subject="Text" state={view.save.type} text={SAVE_TEXTS[view.save.type]} />
          <State subject="Claim" state={view.claim} text={CLAIM_TEXTS[view.claim]} />
        </div>
      )}
      <Button class="quiet" onClick={handlers.settings}>
        Settings
      </Button>
      <Button class="quiet" onClick={handlers.help}>
        Help
      </Button>
      <Button onClick={handlers.release} disabled={!handlers.release}>
        Release
      </Button>
      <Button class="primary" onClick={handlers.finish} disabled={!handlers.finish}>
        Finish
      </Button>
    </header>
  );
}

interface StateProps {
  readonly subject: string;
  readonly state: string;
  readonly text: string;
}

/** A state with a coloured mark, as one text for screen readers. */
function State({ subject, state, text }: StateProps) {
  return (
    <span class="state dotted" data-state={state} role="img" aria-label={`${subject}: ${text}`}>
      {text}
    </span>
  );
}

const SAVE_TEXTS: Readonly<Record<SaveState['type'], string>> = {
  saved: 'Saved',
  unsent: 'Not saved yet',
  saving: 'Saving …',
  offline: 'Kept in this browser',
  refused: 'Kept in this browser',
  lapsed: 'Kept in this browser',
  claimed: 'Cannot be saved',
  conflict: 'Two texts',
  kept: 'Saved',
  ended: 'Cannot be saved',
};

const CLAIM_TEXTS: Readonly<Record<ClaimState, string>> = {
  held: 'Claimed by you',
  unsure: 'Claim unknown',
  lapsed: 'Claim lapsed',
  taken: 'With another person',
  ended: 'Job has ended',
  loggedOut: 'Logged out',
};
