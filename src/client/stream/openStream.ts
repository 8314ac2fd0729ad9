import { Subscription } from 'rxjs';
import { type AudioBlock, type PcmFormat, requireBlock } from '../../audio/format/format.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import type { Gate } from '../../flow/gate.ts';
import { formatStreamQuery } from '../../protocol/streamQuery.ts';
import { channelsApart } from './channels/channelsApart.ts';
import { type AudioInput, liveOperator, type StreamListener, type Transcription } from './liveOperator.ts';
import { type QueryChange, STREAM_DEFAULTS, type TranscribeOptions } from './options.ts';
import type { Platform } from './platform.ts';
import type { Place } from './recovery/reconnect.ts';
import { type StreamSettings, streamSettings } from './settings.ts';
import { ignoredOptionsWarning, NO_AUDIO_WARNING } from './status.ts';
import { type StreamRun, startRun } from './streamRun.ts';

/** `idle`: the format of the audio is not known yet. */
type Phase = { readonly type: 'idle' | 'over' } | { readonly type: 'running'; readonly run: StreamRun };

/** Opens a stream for one source, and holds the gate while the source should wait. It begins once the format is known. */
export function openStream(settings: StreamSettings, listener: StreamListener, gate: Gate): AudioInput {
  let phase: Phase = { type: 'idle' };
  /** The values of the query that have changed so far. */
  let changed: QueryChange = {};
  /** The service that the user wants, if any. */
  let place: Place | undefined;
  const changes = new Subscription();

  const begin = ({ sampleRate, channels }: Pick<PcmFormat, 'sampleRate' | 'channels'>) => {
    const format = { sampleFormat: settings.sampleFormat, sampleRate, channels };
    const query = { ...settings.query, ...changed };
    const run = startRun({ settings: { ...settings, query }, format, gate, listener });
    phase = { type: 'running', run };
    run({ type: 'start' });
    if (place) run({ type: 'place', place });
    return run;
  };
  const fail = (error: unknown) => {
    if (phase.type === 'running') return phase.run({ type: 'fail', error });
    if (phase.type === 'over') return;
    phase = { type: 'over' };
    listener({ type: 'status', status: { type: 'failed', error } });
    listener({ type: 'end', failure: { error } });
  };
  /** Audio that cannot be used ends the stream. */
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      fail(error);
    }
  };
  const onPlace = (next: Place) => {
    place = next;
    if (phase.type === 'running') phase.run({ type: 'place', place });
  };
  const onChange = (change: QueryChange) => {
    changed = { ...changed, ...namedOptions('StreamOptions', change, 'query$: ') };
    formatStreamQuery({ ...settings.query, ...changed, contentType: { kind: 'any' } });
    if (phase.type === 'running') phase.run({ type: 'query', change });
  };
  /** Passes the end on to a running stream; ends a stream without a format here. */
  const finish = (event: { readonly type: 'finish' | 'close' }) => {
    if (phase.type === 'running') return phase.run(event);
    if (phase.type === 'over') return;
    phase = { type: 'over' };
    if (event.type === 'finish') listener({ type: 'status', status: NO_AUDIO_WARNING });
    listener({ type: 'end' });
  };
  const write = (block: AudioBlock) => {
    requireBlock('transcribe', block);
    if (block.samples.length === 0 || phase.type === 'over') return;
    const run = phase.type === 'running' ? phase.run : begin(block);
    run(block);
  };
  return {
    /** Connects ahead of the audio when its format is known. */
    start() {
      const { sampleRate, channels, ignored, query$, standby } = settings;
      if (ignored.length > 0) listener({ type: 'status', status: ignoredOptionsWarning(ignored) });
      const observer = { next: (change: QueryChange) => attempt(() => onChange(change)), error: fail };
      changes.add(query$?.subscribe(observer));
      changes.add(standby?.use$?.subscribe({ next: onPlace, error: fail }));
      if (phase.type === 'idle' && sampleRate !== undefined) attempt(() => begin({ sampleRate, channels }));
    },
    write: block => attempt(() => write(block)),
    finish: () => finish({ type: 'finish' }),
    fail,
    close() {
      changes.unsubscribe();
      finish({ type: 'close' });
    },
  };
}

/** Streams audio as `transcribe` does. */
export function transcribeOn(platform: Platform, all: TranscribeOptions): Transcription {
  // Invalid options of streams apart are rejected now, not at the first block.
  const settings = streamSettings(all, platform);
  if (all.channelStreams !== 'apart') {
    return liveOperator((listener, gate) => openStream(settings, listener, gate), all.signal);
  }
  const { channels, spool, signal, channelStreams: _, ...options } = all;
  const spoolOf = (channel: number) => spool && { spool: { ...spool, path: `${spool.path}.${channel}` } };
  return channelsApart({
    open: channel => transcribeOn(platform, { ...options, ...spoolOf(channel) }),
    ...(options.sampleRate !== undefined && { channels: channels ?? STREAM_DEFAULTS.channels }),
    ...(signal && { signal }),
  });
}
