import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import { Dialog } from '../../Dialog.tsx';
import { clockText } from '../../times.ts';
import type { SpeakerScope } from '../editor/giveSpeakers.ts';
import { freeNames } from '../editor/speakerNames.ts';
import type { Span } from '../player/spans.ts';
import { Picks } from './Picks.tsx';
import { SpeakerName } from './SpeakerName.tsx';
import { longestSpans } from './spoken.ts';
import type { Work } from './startWork.ts';

/** The speaker whose name is asked for. */
export interface SpeakerQuestion {
  readonly speaker: number;
  /** True where the selected turns may be meant. */
  readonly isOfSelection: boolean;
}

export interface SpeakerDialogProps extends SpeakerQuestion {
  readonly work: Work;
  /** Names that the customer gave. */
  readonly offered: readonly string[];
  readonly notify: (text: string) => void;
  readonly onClose: () => void;
}

/** Names a speaker everywhere, or assigns the selected turns to a speaker. */
export function SpeakerDialog(props: SpeakerDialogProps) {
  const { work, speaker, isOfSelection, offered, notify, onClose } = props;
  const { editor } = work;
  const known = editor.speakers.list();
  const { name: before, turns } = known.find(one => one.speaker === speaker)!;
  const isNamed = (editor.names[speaker] ?? '') !== '';
  const [name, setName] = useState('');
  // A speaker without a name is probably named everywhere; for a named one, probably one turn is wrong.
  const [scope, setScope] = useState<SpeakerScope>(isOfSelection && isNamed ? 'selection' : speaker);
  const give = (to: string) => {
    onClose();
    notify(editor.speakers.name(to, scope));
  };
  const isMeant = (one: string) => one.toLowerCase().includes(name.trim().toLowerCase());
  const others = known.filter(one => one.speaker !== speaker && isMeant(one.name));
  const free = freeNames(offered, known).filter(isMeant);
  const submit = (event: Event) => {
    event.preventDefault();
    give(name);
  };
  const scopes = [
    [speaker, turns === 1 ? `The turn of ${before}` : `All ${turns} turns of ${before}`],
    ['selection', 'The selected turns only'],
  ] as const;
  return (
    <Dialog title={before} onClose={onClose}>
      <form class="speaker" onSubmit={submit}>
        {isOfSelection && (
          <fieldset>
            <legend>Turns</legend>
            {scopes.map(([value, text]) => (
              <label key={text}>
                <input type="radio" name="scope" checked={scope === value} onChange={() => setScope(value)} />
                <bdi>{text}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <label>
          Name of the speaker
          <input
            data-first
            name="speaker"
            autocomplete="off"
            placeholder={before}
            value={name}
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <Picks
          picks={[
            ...free.map(one => ({ key: one, content: <bdi>{one}</bdi>, onPick: () => give(one) })),
            ...others.map(one => ({
              key: one.name,
              content: <SpeakerName {...one} />,
              onPick: () => give(one.name),
            })),
          ]}
        />
        <Listen {...props} />
        <footer>
          {isNamed && scope === speaker && <Button onClick={() => give('')}>Remove the name</Button>}
          <button type="submit" class="primary" disabled={name.trim() === ''}>
            {scope === 'selection' ? 'Assign' : 'Rename'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Plays the longest turns of a speaker repeatedly; then returns the audio to its earlier place. */
function Listen({ work: { editor, player }, speaker }: SpeakerDialogProps) {
  const [before] = useState(player.at);
  const [isHeard, setHeard] = useState(false);
  useEffect(() => {
    if (!isHeard) return;
    return () => {
      player.setLoop(undefined);
      player.pause(0);
      player.seek(before);
    };
  }, [isHeard]);
  const hear = (span: Span) => {
    setHeard(true);
    player.setLoop(span);
    player.seek(span.start);
    player.play();
  };
  return (
    <p class="row">
      Listen
      {longestSpans(editor.turns(), speaker).map(({ start, end }) => {
        const at = clockText(start);
        const length = `${Math.round(end - start)} s`;
        return (
          <Button key={start} aria-label={`Listen to ${at} ${length}`} onClick={() => hear({ start, end })}>
            {at} <span class="hint">{length}</span>
          </Button>
        );
      })}
    </p>
  );
}
