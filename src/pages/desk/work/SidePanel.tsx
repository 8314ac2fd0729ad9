import { counted } from '../../../base/text.ts';
import type { DeskOpenJobJson } from '../../../protocol/desk.ts';
import { Button } from '../../Button.tsx';
import { Section } from '../../Section.tsx';
import { clockText } from '../../times.ts';
import type { Span } from '../player/spans.ts';
import { Picks } from './Picks.tsx';
import { Speakers, type SpeakersProps } from './Speakers.tsx';
import { Vocabulary } from './Vocabulary.tsx';

export interface SidePanelProps {
  readonly open: DeskOpenJobJson;
  readonly isReadOnly: boolean;
  readonly onSeek: (seconds: number) => void;
  /** Actions on speakers. Undefined while the job is being opened, and for a job without speakers. */
  readonly speakers: Omit<SpeakersProps, 'offered' | 'wanted' | 'isReadOnly'> | undefined;
  readonly onTerm: (term: string) => void;
  readonly onStart: (from: 'machine' | 'blank') => void;
}

/** The wishes of the customer, and terms that a click inserts. */
export function SidePanel(props: SidePanelProps) {
  const { open, isReadOnly, speakers, onTerm, onStart } = props;
  return (
    <aside class="side" aria-label="Job">
      <Section title="Rules">
        <ul class="wishes">
          {rulesOf(open).map(rule => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </Section>
      {speakers && (
        <Speakers
          {...speakers}
          offered={open.speaker_names}
          wanted={open.speakers_count ?? 0}
          isReadOnly={isReadOnly}
        />
      )}
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
    open.speakers_count === undefined
      ? ''
      : `The customer expects ${counted(open.speakers_count, 'speaker')}.`,
  ].filter(rule => rule !== '');
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
