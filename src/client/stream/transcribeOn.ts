import { channelsApart } from './channels/channelsApart.ts';
import { liveOperator, type Transcription } from './liveOperator.ts';
import { openStream } from './openStream.ts';
import { STREAM_DEFAULTS, type TranscribeOptions } from './options.ts';
import { type Platform, streamSettings } from './settings.ts';

/** Streams audio as `transcribe` does. */
export function transcribeOn(platform: Platform, all: TranscribeOptions): Transcription {
  // Invalid options of streams apart are rejected now, not at the first block.
  const settings = { ...streamSettings(all), platform };
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
