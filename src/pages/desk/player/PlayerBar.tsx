import { useEffect, useRef, useState } from 'preact/hooks';
import type { DeskPeaksJson } from '../../../protocol/desk.ts';
import type { Handlers } from '../keys/useKeys.ts';
import { type DeskSettings, SETTING_BOUNDS } from '../settings.ts';
import { clockText } from '../times.ts';
import type { Player, PlayerState } from './player.ts';
import { playedBefore, playedSeconds, type Span } from './spans.ts';
import { drawWaveform, type Waveform } from './waveform.ts';

export interface PlayerBarProps {
  readonly player: Player;
  readonly state: PlayerState;
  readonly seconds: number;
  readonly spans: readonly Span[];
  readonly readPeaks: () => Promise<DeskPeaksJson>;
  readonly onTime: Set<(seconds: number) => void>;
  readonly settings: DeskSettings;
  readonly changeSettings: (changes: Partial<DeskSettings>) => void;
  readonly handlers: Handlers;
}

/** The audio: waveform, place, and buttons. */
export function PlayerBar(props: PlayerBarProps) {
  const { player, state, spans, handlers, settings, changeSettings } = props;
  return (
    <section class="player" aria-label="Audio">
      <WaveformView {...props} />
      <div class="transport">
        <Button label="Jump back" onClick={handlers.back}>
          −{settings.jump} s
        </Button>
        <Button label={state.isPlaying ? 'Pause' : 'Play'} isMain onClick={handlers.play}>
          {state.isPlaying ? '❚❚' : '▶'}
        </Button>
        <Button label="Jump forward" onClick={handlers.forward}>
          +{settings.jump} s
        </Button>
        <PlaceSlider {...props} />
        <Button label="Slower" onClick={handlers.slower}>
          −
        </Button>
        <button type="button" class="speed" title="Normal speed" onClick={handlers.normal}>
          {state.speed.toFixed(1)}×
        </button>
        <Button label="Faster" onClick={handlers.faster}>
          +
        </Button>
        <Button
          label="Repeat the turn or the selection"
          isPressed={state.loop !== undefined}
          onClick={handlers.loop}
        >
          ⟲
        </Button>
        <Button label="Follow the audio" isPressed={settings.follow} onClick={handlers.follow}>
          Follow
        </Button>
        <Button label="Waveform wider" onClick={handlers.zoomOut}>
          ⊖
        </Button>
        <Button label="Waveform closer" onClick={handlers.zoomIn}>
          ⊕
        </Button>
        <label class="volume">
          <span class="unseen">Volume</span>
          <input
            type="range"
            min={SETTING_BOUNDS.volume[0]}
            max={SETTING_BOUNDS.volume[1]}
            step="0.05"
            value={settings.volume}
            title="Volume"
            onInput={event => {
              player.setVolume(event.currentTarget.valueAsNumber);
              changeSettings({ volume: event.currentTarget.valueAsNumber });
            }}
          />
        </label>
      </div>
      <p class="unseen">{clockText(playedSeconds(spans))} to transcribe</p>
    </section>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly isMain?: boolean;
  readonly isPressed?: boolean;
  readonly onClick: (() => void) | undefined;
  readonly children: preact.ComponentChildren;
}

function Button({ label, isMain, isPressed, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={isMain ? 'primary' : ''}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      // The cursor stays in the text.
      onMouseDown={event => event.preventDefault()}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

function PlaceSlider({ player, seconds, spans, onTime }: PlayerBarProps) {
  const slider = useRef<HTMLInputElement>(null);
  const clock = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = (at: number) => {
      const text = clockText(at, { tenths: true });
      if (!slider.current || !clock.current || clock.current.textContent === text) return;
      clock.current.textContent = text;
      clock.current.title = `${clockText(playedBefore(spans, at))} of ${clockText(playedSeconds(spans))} to transcribe`;
      slider.current.value = String(at);
      slider.current.setAttribute('aria-valuetext', clockText(at));
    };
    show(player.at);
    onTime.add(show);
    return () => void onTime.delete(show);
  }, [player, onTime, spans]);
  return (
    <>
      <span class="clock" ref={clock} />
      <input
        ref={slider}
        class="place"
        type="range"
        min="0"
        max={seconds}
        step="0.1"
        aria-label="Place in the audio"
        onInput={event => player.seek(event.currentTarget.valueAsNumber)}
      />
      <span class="clock whole">{clockText(seconds)}</span>
    </>
  );
}

function WaveformView({ player, state, spans, readPeaks, settings }: PlayerBarProps) {
  const container = useRef<HTMLDivElement>(null);
  const waveform = useRef<Waveform>(undefined);
  const [note, setNote] = useState('Loading the waveform …');
  useEffect(() => {
    let isClosed = false;
    readPeaks().then(
      peaks => {
        if (isClosed) return;
        setNote('');
        waveform.current = drawWaveform({
          container: container.current!,
          peaks,
          spans,
          zoom: settings.zoom,
          audio: player.audio,
          onSeek: player.seek,
        });
      },
      (error: Error) => setNote(`The waveform cannot be shown. ${error.message}`),
    );
    return () => {
      isClosed = true;
      waveform.current?.close();
    };
  }, [player]);
  useEffect(() => waveform.current?.setZoom(settings.zoom), [settings.zoom]);
  useEffect(() => waveform.current?.setLoop(state.loop), [state.loop]);
  useEffect(() => waveform.current?.recolor(), [settings.theme]);
  return (
    <div class="waveform" ref={container} aria-hidden="true">
      {note && <p class="hint">{note}</p>}
    </div>
  );
}
