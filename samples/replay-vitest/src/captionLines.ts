import { filter, map, type Observable } from 'rxjs';
import { type AudioBlock, type LiveEvent, type TranscribeOptions, textOf, transcribe } from 'rxscribe';

/** The program under test: sends speech to a service and prints lines such as `0:12 Hello there.` */
export function captionLines(audio$: Observable<AudioBlock>, options: TranscribeOptions): Observable<string> {
  return audio$.pipe(
    transcribe({ ...options, language: 'en' }),
    filter((event: LiveEvent) => event.type === 'final'),
    map(({ ts, elements }) => `${clockTime(ts)} ${textOf(elements)}`),
  );
}

function clockTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
