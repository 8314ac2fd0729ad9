import type { DeskOpenJobJson } from '../../../protocol/desk.ts';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { Button } from '../../Button.tsx';
import { Section } from '../../Section.tsx';
import { clockText } from '../../times.ts';
import { SPEAKER_ACTIONS } from '../keys/actions.ts';
import type { Span } from '../player/spans.ts';
import { Picks } from './Picks.tsx';
import { Vocabulary } from './Vocabulary.tsx';

export interface SidePanelProps {
  readonly open: DeskOpenJobJson;
  readonly isReadOnly: boolean;
  readonly onSeek: (seconds: number) => void;
  readonly onSpeaker: (speaker: number) => void;
  readonly onTerm: (term: string) => void;
  readonly onStart: (from: 'machine' | 'blank') => void;
}

/** The wishes of the customer, and what is inserted by a click. */
export function SidePanel(props: SidePanelProps) {
  const { open, isReadOnly, onTerm, onStart } = props;
  return (
    <aside class="side" aria-label="Job">
      <Section title="Rules">
        <ul class="wishes">
          {rulesOf(open).map(rule => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </Section>
      {!open.skip_diarization && <Speakers {...props} />}
      <Segments {...props} />
      <Vocabulary
        phrases={open.phrases}
        language={open.job.language}
        isReadOnly={isReadOnly}
        onTerm={onTerm}
      />
      <Section title="Start again">
        <div class="row">
          <Button disabled={isReadOnly} onClick={() => onStart('machine')}>
            From the machine's text
          </Button>
          <Button disabled={isReadOnly} onClick={() => onStart('blank')}>
            From a blank sheet
          </Button>
        </div>
      </Section>
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

function Speakers({ open, isReadOnly, onSpeaker }: SidePanelProps) {
  const { speaker_names: names, speakers_count: wanted = 0 } = open;
  const count = Math.min(DESK_LIMITS.maxSpeaker + 1, Math.max(names.length, wanted, 2));
  const picks = Array.from({ length: count }, (_, n) => ({
    key: n,
    content: <bdi>{names[n] || `Speaker ${n}`}</bdi>,
    action: SPEAKER_ACTIONS[n],
    onPick: () => onSpeaker(n),
  }));
  return (
    <Section title="Speakers">
      <Picks picks={picks} isDisabled={isReadOnly} />
    </Section>
  );
}

function Segments({ open, onSeek }: SidePanelProps) {
  const { segments, job } = open;
  if (isWhole(segments, job.duration_seconds)) return null;
  const picks = segments.map(({ start, end }) => ({
    key: start,
    content: `${clockText(start)} – ${clockText(end)}`,
    onPick: () => onSeek(start),
  }));
  return (
    <Section title="Segments">
      <Picks picks={picks} />
    </Section>
  );
}

function isWhole([first, ...others]: readonly Span[], seconds: number): boolean {
  return others.length === 0 && first !== undefined && first.start < 0.5 && first.end > seconds - 0.5;
}
