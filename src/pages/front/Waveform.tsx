import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Transcript } from '../../transcript/model/model.ts';

/** Bytes of a file that is decoded: 30 minutes of MP3, which take 600 MB for a moment. */
const MAX_BYTES = 30_000_000;

interface WaveformProps {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly blob: Blob;
  readonly transcript: Transcript;
}

/** The waveform of a recording, with its words. A click goes to another place; keys have the slider of the player. */
export function Waveform({ audio, blob, transcript }: WaveformProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (blob.size > MAX_BYTES) return;
    // A recording that cannot be decoded has no waveform.
    const drawn = draw().catch(() => undefined);
    return () => void drawn.then(waveform => waveform?.close());
  }, [blob]);
  const draw = async () => {
    const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await blob.arrayBuffer());
    // It is as large as the page.
    const { drawWaveform } = await import('../desk/player/waveform.ts');
    return drawWaveform({
      container: container.current!,
      audio: audio.current!,
      samples: sound.getChannelData(0),
      seconds: sound.duration,
      // The words of a second have room.
      zoom: 100,
      height: 56,
      words: transcript.monologues.flatMap(({ elements }) => elements),
    });
  };
  return <div class="wave" ref={container} aria-hidden="true" />;
}
