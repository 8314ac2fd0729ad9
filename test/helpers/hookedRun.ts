import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import { shellWord } from '../../src/base/text.ts';
import type { HookCounts } from '../../src/captions/hook/hookRun.ts';
import { type TextHookOptions, textHook } from '../../src/captions/hook/textHook.ts';
import type { FinalEvent, LiveEvent } from '../../src/transcript/model/events.ts';
import { textOf } from '../../src/transcript/model/model.ts';
import { final } from './transcriptEvents.ts';

/** The command of a program of Node; `lines` is an iterator of the lines of its input. */
export function nodeProgram(code: string): string {
  const lines = `import { createInterface } from 'node:readline';
    const lines = createInterface({ input: process.stdin });`;
  return [process.execPath, '--input-type=module', '-e', `${lines}\n${code}`].map(shellWord).join(' ');
}

/** Live events through a text hook, with all that it reports. */
export interface HookedRun {
  readonly events$: Observable<LiveEvent>;
  readonly notes: readonly string[];
  counts(): HookCounts | undefined;
}

export function hooked(events$: Observable<LiveEvent>, options: TextHookOptions): HookedRun {
  const notes: string[] = [];
  let counts: HookCounts | undefined;
  const onReport = (report: HookCounts) => {
    counts = report;
  };
  const hook = textHook({ onNote: note => notes.push(note), onReport, ...options });
  return { events$: events$.pipe(hook), notes, counts: () => counts };
}

/** Returns the texts of finals, and the types of other events. */
export function seenIn(events: readonly LiveEvent[]): readonly string[] {
  return events.map(event => (event.type === 'final' ? textOf(event.elements) : event.type));
}

/** Resolves with the result of a hook for some events. */
export async function runHook(events: readonly LiveEvent[], options: TextHookOptions) {
  const { events$, notes, counts } = hooked(from(events), options);
  const seen = seenIn(await lastValueFrom(events$.pipe(toArray())));
  return { seen, notes, counts: counts() };
}

/** Finals of one sentence and one second each. */
export function numberedSentences(count: number): FinalEvent[] {
  return Array.from({ length: count }, (_, index) => final(`Sentence ${index}.`, index, index + 1));
}
