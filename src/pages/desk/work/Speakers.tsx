import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { Section } from '../../Section.tsx';
import { freeNames, numberedSpeaker, type Speaker } from '../editor/speakerNames.ts';
import { SPEAKER_ACTIONS } from '../keys/actions.ts';
import { Picks } from './Picks.tsx';
import { SpeakerName } from './SpeakerName.tsx';

export interface SpeakersProps {
  readonly speakers: readonly Speaker[];
  /** Names that the customer gave. */
  readonly offered: readonly string[];
  /** Number of speakers that the customer gave. */
  readonly wanted: number;
  readonly isReadOnly: boolean;
  readonly onSpeaker: (speaker: number) => void;
  readonly onName: (name: string) => void;
  readonly onRename: (speaker: number) => void;
}

/** The speakers of the text, to be assigned and renamed by clicks, and the unused names. */
export function Speakers(props: SpeakersProps) {
  const { speakers, offered, wanted, isReadOnly, onSpeaker, onName, onRename } = props;
  const least = Math.min(DESK_LIMITS.maxSpeaker + 1, Math.max(wanted, 2));
  const unused = Array.from({ length: least }, (_, speaker) => speaker)
    .filter(n => !speakers.some(({ speaker }) => speaker === n))
    .map(speaker => ({ speaker, name: numberedSpeaker(speaker), turns: 0 }))
    .slice(0, Math.max(0, least - speakers.length));
  const all = [...speakers, ...unused].sort((one, other) => one.speaker - other.speaker);
  return (
    <Section title="Speakers">
      <Picks
        isDisabled={isReadOnly}
        picks={[
          ...all.map(one => ({
            key: String(one.speaker),
            content: <SpeakerName {...one} />,
            action: SPEAKER_ACTIONS[one.speaker],
            onPick: () => onSpeaker(one.speaker),
            ...(one.turns > 0 && {
              more: { label: `Rename ${one.name}`, onPick: () => onRename(one.speaker) },
            }),
          })),
          ...freeNames(offered, speakers).map(name => ({
            key: name,
            content: (
              <>
                <bdi>{name}</bdi>
                <span class="hint">not assigned</span>
              </>
            ),
            onPick: () => onName(name),
          })),
        ]}
      />
    </Section>
  );
}
