import { useEffect, useState } from 'preact/hooks';
import { counted } from '../../base/text.ts';
import type { OperatorMessage, RoomFigures, RoomView } from '../../captions/control/operatorMessage.ts';
import { clockTime } from '../../transcript/formats/timestamp.ts';
import { Button } from '../Button.tsx';
import type { Bounds } from '../bounds.ts';
import { Checkbox, NumberField } from '../fields.tsx';
import { Section } from '../Section.tsx';
import type { Perform } from './desk.ts';
import { startTones } from './faults.ts';

/** Levels of the meter in dB: its lower end, the start of speech, and the start of clipping. */
const LEVELS = { min: -60, low: -45, optimum: -20, high: -3, max: 0 } as const;
/** Seconds by which words may be late. */
const LATE_SECONDS: Bounds = [1, 60];

function Level({ name, peakDb }: { readonly name: string; readonly peakDb: number }) {
  return <meter {...LEVELS} value={peakDb} aria-label={`Level ${name}`.trim()} />;
}

/** A source with its faults. */
export interface WatchedRoom {
  readonly room: RoomView;
  readonly faults: readonly string[];
}

/** List of the sources, the worst first, each with a link to its controls. */
export function Rooms({ rooms, shown }: { readonly rooms: readonly WatchedRoom[]; readonly shown: string }) {
  if (rooms.length < 2) return null;
  return (
    <nav aria-label="Sources">
      <ul class="rooms">
        {rooms
          .toSorted((a, b) => b.faults.length - a.faults.length)
          .map(({ room: { name, state, figures }, faults }) => (
            <li key={name} class={faults.length > 0 ? 'failing' : undefined}>
              <a
                href={`?${new URLSearchParams({ room: name })}`}
                aria-current={name === shown ? 'page' : undefined}
              >
                {name}
              </a>
              {figures?.peakDb !== undefined && <Level name={name} peakDb={figures.peakDb} />}
              <span>{faults.length > 0 ? faults.join(' ') : `Captions are ${state.mode}.`}</span>
            </li>
          ))}
      </ul>
    </nav>
  );
}

interface WatchProps {
  readonly figures: RoomFigures;
  readonly viewers: OperatorMessage['viewers'];
  readonly hasFault: boolean;
  readonly lateSeconds: number;
  readonly onLateSeconds: (seconds: number) => void;
  readonly perform: Perform;
}

/** The sound, the service and the faults of a source. */
export function Watch({ figures, viewers, hasFault, lateSeconds, onLateSeconds, perform }: WatchProps) {
  const other = figures.service && (figures.service === 'first' ? 'standby' : 'first');
  // Sound needs a click in each visit, so the choice is not stored.
  const [sound, setSound] = useState<AudioContext>();
  useEffect(() => (sound && hasFault ? startTones(sound) : undefined), [sound, hasFault]);
  const { peakDb, sinceWordSeconds, audioSeconds, microphone } = figures;
  return (
    <Section title="Sound and service" class="card">
      <p class="level">
        <Level name="" peakDb={peakDb ?? LEVELS.min} />
        {peakDb === undefined ? 'no audio' : `${peakDb.toFixed(0)} dB`}
      </p>
      <dl class="keys">
        <dt>Audio</dt>
        <dd>{clockTime(audioSeconds, 'hh:mm:ss')}</dd>
        {microphone && <dt>Microphone</dt>}
        {microphone && <dd class={microphone.isOther ? 'problem' : undefined}>{microphone.name}</dd>}
        <dt>Last word</dt>
        <dd>{sinceWordSeconds === undefined ? 'none yet' : `${sinceWordSeconds.toFixed(0)} s ago`}</dd>
        <dt>Service</dt>
        <dd>
          <span>{serviceText(figures)}</span>
          {other && (
            <Button onClick={() => void perform({ type: 'service', service: other })}>
              Change to {serviceName(other)}
            </Button>
          )}
        </dd>
        {viewers !== undefined && <dt>Page</dt>}
        {viewers !== undefined && <dd>{counted(viewers, 'viewer')}</dd>}
      </dl>
      <div class="fields">
        <NumberField
          label="Warn when words are later than (seconds)"
          value={lateSeconds}
          bounds={LATE_SECONDS}
          step={1}
          onChange={onLateSeconds}
        />
        <Checkbox
          label="Sound at a fault"
          value={sound !== undefined}
          onChange={isOn => {
            void sound?.close();
            setSound(isOn ? new AudioContext() : undefined);
          }}
        />
      </div>
    </Section>
  );
}

const serviceName = (service: 'first' | 'standby') =>
  service === 'standby' ? 'the standby' : 'the first service';

function serviceText({ isConnected, service, problem }: RoomFigures): string {
  if (isConnected) return service === undefined ? 'connected' : `connected: ${serviceName(service)}`;
  return problem === 'starting' ? 'starting' : 'not connected';
}

/** The latest messages of a source, the newest first. */
export function Messages({ messages }: Pick<RoomFigures, 'messages'>) {
  return (
    <Section title="Messages" class="card">
      {messages.length === 0 && <p class="hint">There is no message.</p>}
      <dl class="keys">
        {messages
          .toReversed()
          .map(({ atMs, text }, index) => [
            <dt key={`t${index}`}>{new Date(atMs).toLocaleTimeString()}</dt>,
            <dd key={`d${index}`}>{text}</dd>,
          ])}
      </dl>
    </Section>
  );
}
