import type { Observable } from 'rxjs';
import type { AudioBlock, Client, FinalEvent, LiveEvent, TerminalOutput, Transcript } from 'rxscribe';
import type { CaptionPage, CaptionRoom } from 'rxscribe/captions';
import type { Cassette, Reference, Report, RuleSet, SessionRun } from 'rxscribe/replay';
import type { Recognizer } from 'rxscribe/server';

/** Names that the examples of docstrings use without declaring them. */
declare global {
  const url: string;
  const token: string;
  const source$: Observable<AudioBlock>;
  const events$: Observable<LiveEvent>;
  const events: readonly LiveEvent[];
  const final: FinalEvent;
  const lastFinal: FinalEvent;
  const finals: readonly FinalEvent[];
  const transcript: Transcript;
  const client: Client;
  const output: TerminalOutput;
  const recognizer: Recognizer;
  const samples: Int16Array;
  const cassette: Cassette;
  const before: Cassette;
  const after: Cassette;
  const run: SessionRun;
  const reference: Reference;
  const rules: RuleSet;
  const report: Report;
  const page: CaptionPage;
  const room: CaptionRoom;
}
