import { useEffect, useRef, useState } from 'preact/hooks';
import type { DeskOpenJobJson } from '../../../protocol/desk.ts';
import { Button, type ButtonProps } from '../../Button.tsx';
import { clockText } from '../../times.ts';
import { useDesk } from '../desk.ts';
import type { Handlers } from '../keys/actions.ts';
import { SETTING_BOUNDS } from '../settings.ts';
import type { Player, PlayerState } from './player.ts';
import { playedBefore, playedSeconds } from './spans.ts';
import { drawWaveform, type Waveform } from './waveform.ts';

export interface PlayerBarProps {
  readonly player: Player;
  readonly state: PlayerState;
  readonly open: DeskOpenJobJson;
  readonly onTime: Set<(seconds: number) => void>;
  readonly handlers: Handlers;
}

/** The audio: waveform, place, and buttons. */
export function PlayerBar(props: PlayerBarProps) {
  const { player, state, open, handlers } = props;
  const { settings, changeSettings } = useDesk();
  const jump = `${settings.jump} s`;
  return (
    <section class="player" aria-label="Audio">
      <WaveformView {...props} />
      <div class="transport">
        <PlayerButton label={`Jump back ${jump}`} text={`−${jump}`} onClick={handlers.back} />
        <PlayerButton
          label={state.isPlaying ? 'Pause' : 'Play'}
          text={state.isPlaying ? '❚❚' : '▶'}
          class="primary"
          onClick={handlers.play}
        />
        <PlayerButton label={`Jump forward ${jump}`} text={`+${jump}`} onClick={handlers.forward} />
        <PlaceSlider {...props} />
        <PlayerButton label="Slower" text="−" onClick={handlers.slower} />
        <Button class="speed" title="Normal speed" onClick={handlers.normal}>
          {state.speed.toFixed(1)}×
        </Button>
        <PlayerButton label="Faster" text="+" onClick={handlers.faster} />
        <PlayerButton
          label="Repeat the turn or the selection"
          text="⟲"
          aria-pressed={state.loop !== undefined}
          onClick={handlers.loop}
        />
        <PlayerButton
          label="Follow the audio"
          text="Follow"
          aria-pressed={settings.follow}
          onClick={handlers.follow}
        />
        <PlayerButton label="Waveform wider" text="⊖" onClick={handlers.zoomOut} />
        <PlayerButton label="Waveform closer" text="⊕" onClick={handlers.zoomIn} />
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
      <p class="unseen">{clockText(playedSeconds(open.segments))} to transcribe</p>
    </section>
  );
}

interface PlayerButtonProps extends ButtonProps {
  /** Name for screen readers and the mouse. */
  readonly label: string;
  readonly text: string;
}

function PlayerButton({ label, text, ...props }: PlayerButtonProps) {
  return (
    <Button aria-label={label} title={label} keepsFocus {...props}>
      {text}
    </Button>
  );
}

function PlaceSlider({ player, open, onTime }: PlayerBarProps) {
  const { segments: spans, job } = open;
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
        max={job.duration_seconds}
        step="0.1"
        aria-label="Place in the audio"
        onInput={event => player.seek(event.currentTarget.valueAsNumber)}
      />
      <span class="clock whole">{clockText(job.duration_seconds)}</span>
    </>
  );
}

function WaveformView({ player, state, open }: PlayerBarProps) {
  const { api, settings } = useDesk();
  const container = useRef<HTMLDivElement>(null);
  const waveform = useRef<Waveform>(undefined);
  const [note, setNote] = useState('Loading the waveform …');
  useEffect(() => {
    let isClosed = false;
    api.readPeaks(open.job.id).then(
      ({ peaks, seconds }) => {
        if (isClosed || !container.current) return;
        setNote('');
        waveform.current = drawWaveform({
          container: container.current,
          audio: player.audio,
          samples: Float32Array.from(atob(peaks), byte => byte.charCodeAt(0) / 255),
          seconds,
          spans: open.segments,
          zoom: settings.zoom,
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
  return (
    <div class="waveform" ref={container} aria-hidden="true">
      {note && <p class="hint">{note}</p>}
    </div>
  );
}
