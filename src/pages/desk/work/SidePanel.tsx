import type { DeskOpenJobJson } from '../../../protocol/desk.ts';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { Button } from '../../Button.tsx';
import type { KeyChoices } from '../keys/bindings.ts';
import { FirstKey } from '../keys/Keys.tsx';
import type { Span } from '../player/spans.ts';
import { clockText } from '../times.ts';
import { Vocabulary } from './Vocabulary.tsx';

export interface SidePanelProps {
  readonly open: DeskOpenJobJson;
  readonly choices: KeyChoices;
  readonly isReadOnly: boolean;
  readonly onSeek: (seconds: number) => void;
  readonly onSpeaker: (speaker: number) => void;
  readonly onTerm: (term: string) => void;
  readonly onStart: (from: 'machine' | 'blank') => void;
}

/** The wishes of the customer, and what is inserted by a click. */
export function SidePanel(props: SidePanelProps) {
  const { open, choices, isReadOnly, onSeek, onSpeaker, onTerm, onStart } = props;
  return (
    <aside class="side" aria-label="Job">
      <section aria-label="Rules">
        <h2>Rules</h2>
        <ul class="wishes">
          {rulesOf(open).map(rule => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
      {!open.skip_diarization && (
        <Speakers open={open} choices={choices} isReadOnly={isReadOnly} onSpeaker={onSpeaker} />
      )}
      <Segments open={open} onSeek={onSeek} />
      <Vocabulary
        phrases={open.phrases}
        language={open.job.language}
        choices={choices}
        isReadOnly={isReadOnly}
        onTerm={onTerm}
      />
      <section aria-label="Start again">
        <h2>Start again</h2>
        <div class="row">
          <Button disabled={isReadOnly} onClick={() => onStart('machine')}>
            From the machine's text
          </Button>
          <Button disabled={isReadOnly} onClick={() => onStart('blank')}>
            From a blank sheet
          </Button>
        </div>
      </section>
    </aside>
  );
}

/** Returns the wishes of the customer as sentences. */
function rulesOf(open: DeskOpenJobJson): readonly string[] {
  return [
    open.verbatim
      ? 'Verbatim: write every word, with fillers and false starts.'
      : 'Clean: leave out fillers and false starts.',
    !open.verbatim || !open.remove_disfluencies ? '' : 'Leave out disfluencies such as “um”.',
    open.filter_profanity ? 'Profanity is masked when the job is finished: write it as it is spoken.' : '',
    open.skip_punctuation ? 'No punctuation.' : '',
    open.skip_diarization ? 'No speakers: one turn for everything.' : '',
    open.speakers_count === undefined ? '' : `Speakers: ${open.speakers_count}.`,
  ].filter(rule => rule !== '');
}

const MAX_LISTED = 9;

function Speakers({
  open,
  choices,
  isReadOnly,
  onSpeaker,
}: Pick<SidePanelProps, 'open' | 'choices' | 'isReadOnly' | 'onSpeaker'>) {
  const { speaker_names: names, speakers_count: wanted = 0 } = open;
  const count = Math.min(DESK_LIMITS.maxSpeaker + 1, Math.max(names.length, wanted, 2));
  const numbers = Array.from({ length: count }, (_, index) => index);
  return (
    <section aria-label="Speakers">
      <h2>Speakers</h2>
      <ul class="picks">
        {numbers.map(n => (
          <li key={n}>
            <Button disabled={isReadOnly} keepsFocus onClick={() => onSpeaker(n)}>
              <bdi>{names[n] || `Speaker ${n}`}</bdi>
              {n < MAX_LISTED && <FirstKey id={`speaker${(n + 1) as 1}`} choices={choices} />}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Segments({ open, onSeek }: Pick<SidePanelProps, 'open' | 'onSeek'>) {
  const { segments, job } = open;
  if (isWhole(segments, job.duration_seconds)) return null;
  return (
    <section aria-label="Segments">
      <h2>Segments</h2>
      <ol class="picks">
        {segments.map(({ start, end }) => (
          <li key={start}>
            <Button keepsFocus onClick={() => onSeek(start)}>
              {clockText(start)} – {clockText(end)}
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function isWhole([first, ...others]: readonly Span[], seconds: number): boolean {
  return others.length === 0 && first !== undefined && first.start < 0.5 && first.end > seconds - 0.5;
}
