import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Subscription } from 'rxjs';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { Section } from '../Section.tsx';
import { clockText } from '../times.ts';
import { useWindowEvents } from '../useWindowEvents.ts';
import type { Result } from './Result.tsx';
import { type Recording, type RecordingState, record, type SoundSource, type Token } from './record.ts';
import { TranscriptText } from './TranscriptText.tsx';

/** Level at which the meter begins, in dB relative to full scale. */
const SILENT_DB = -60;

/** Paragraphs that are shown while somebody speaks, however long that is. */
const LIVE_PARAGRAPHS = 10;

interface SpeakProps {
  readonly token: Token;
  /** Called when a recording begins. */
  readonly onBegin: () => void;
  readonly onResult: (result: Result) => void;
}

/** Records, and shows what is said while it is said. */
export function Speak({ token, onBegin, onResult }: SpeakProps) {
  const [state, setState] = useState<RecordingState>();
  const [problem, setProblem] = useState('');
  const recording = useRef<Recording>(undefined);
  const subscription = useRef<Subscription>(undefined);
  useEffect(() => () => subscription.current?.unsubscribe(), []);
  useWindowEvents({ beforeunload: event => state && event.preventDefault() });
  const start = (source: SoundSource) => {
    const name = `Recording of ${new Date().toLocaleTimeString(undefined, { timeStyle: 'short' })}`;
    const begun = record(source, name, token);
    let last: RecordingState | undefined;
    const end = () => {
      setState(undefined);
      if (last?.live.id) onResult({ ...last.live, name, audio: begun.file() });
    };
    recording.current = begun;
    setProblem('');
    onBegin();
    subscription.current = begun.state$.subscribe({
      next: next => {
        last = next;
        setState(next);
      },
      error: error => {
        setProblem((error as Error).message);
        end();
      },
      complete: end,
    });
  };
  return (
    <Section title="Speak" class="card speak" aria-busy={state !== undefined}>
      {state ? (
        <Running state={state} onStop={() => recording.current?.stop()} />
      ) : (
        <div class="row">
          <Button class="primary" onClick={() => start('microphone')}>
            ● Microphone
          </Button>
          {'getDisplayMedia' in (navigator.mediaDevices ?? {}) && (
            <Button onClick={() => start('display')}>Sound of a tab</Button>
          )}
        </div>
      )}
      <Problem text={problem} />
    </Section>
  );
}

function Running({ state, onStop }: { readonly state: RecordingState; readonly onStop: () => void }) {
  const { live, peakDb, seconds, connection, device } = state;
  const stop = useRef<HTMLButtonElement>(null);
  useEffect(() => stop.current?.focus(), []);
  const text = useMemo(
    () => <TranscriptText transcript={live.transcript} last={LIVE_PARAGRAPHS} tail={live.tail?.elements} />,
    [live],
  );
  return (
    <>
      <div class="row running">
        <button ref={stop} type="button" class="primary" onClick={onStop}>
          ■ Stop
        </button>
        <span class="clock">{clockText(seconds)}</span>
        <meter aria-label="Level" min={SILENT_DB} max={0} high={-3} value={Math.max(SILENT_DB, peakDb)} />
      </div>
      <p class="hint" role="status">
        {device || connection || 'Listening.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reached by keys */}
      <div class="live" role="log" aria-label="Live captions" tabIndex={0}>
        {text}
      </div>
    </>
  );
}
