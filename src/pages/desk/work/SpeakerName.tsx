import { counted } from '../../../base/text.ts';
import { hueOf } from '../editor/speakerNames.ts';

export interface SpeakerNameProps {
  readonly speaker: number;
  readonly name: string;
  readonly turns: number;
}

/** The name of a speaker in the colour of the turns, with their number. */
export function SpeakerName({ speaker, name, turns }: SpeakerNameProps) {
  return (
    <>
      <bdi class="voice" style={{ '--hue': hueOf(speaker) }}>
        {name}
      </bdi>
      <span class="hint">{counted(turns, 'turn')}</span>
    </>
  );
}
