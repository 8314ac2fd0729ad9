import type { Observable } from 'rxjs';
import { type Static, Type } from 'typebox';
import type { OutputReport } from '../outputs/captionOutput.ts';
import type { TextRules } from '../text/textRules.ts';

/** Longest text of a command. */
const MAX_TEXT = 500;

const text = Type.String({ minLength: 1, maxLength: MAX_TEXT });
/** Language of a stream query. */
export const languageSchema = Type.String({ minLength: 2, maxLength: 32 });
const command = <Name extends string>(type: Name) =>
  Type.Object({ type: Type.Literal(type) }, { additionalProperties: false });

/** Commands of an operator, as the operator's page sends them. */
export const controlCommandSchema = Type.Union([
  /** Shows captions, after `pause` or `kill`. */
  command('start'),
  /** Stops the recognition and shows a notice. */
  command('pause'),
  /** Stops the recognition and removes everything from all outputs. */
  command('kill'),
  /** Drops the words that an output with a delay has not shown yet. */
  command('unsend'),
  /** Shows a word or phrase no more, from now on. */
  Type.Object({ type: Type.Literal('ban'), text }, { additionalProperties: false }),
  /** Shows another text for a word or phrase, from now on. */
  Type.Object({ type: Type.Literal('replace'), text, by: text }, { additionalProperties: false }),
  /** Adds a word or phrase that the recogniser should prefer, from the next utterance on. */
  Type.Object({ type: Type.Literal('vocabulary'), text }, { additionalProperties: false }),
  /** Removes a rule or phrase that an operator has added, by its text. */
  Type.Object(
    {
      type: Type.Literal('undo'),
      rule: Type.Union([Type.Literal('ban'), Type.Literal('replace'), Type.Literal('vocabulary')]),
      text,
    },
    { additionalProperties: false },
  ),
  /** Shows typed text instead of recognised words, until `hand-back`. */
  command('take-over'),
  /** Shows a typed phrase; only after `take-over`. */
  Type.Object({ type: Type.Literal('type'), text }, { additionalProperties: false }),
  /** Takes back the last typed phrase. An output that cannot remove the phrase marks the next text as its correction. */
  command('retract'),
  command('hand-back'),
  /** Continues in a new session with another language. */
  Type.Object({ type: Type.Literal('language'), language: languageSchema }, { additionalProperties: false }),
  /** Recognises at the first service or at the standby from now on. */
  Type.Object(
    { type: Type.Literal('service'), service: Type.Union([Type.Literal('first'), Type.Literal('standby')]) },
    { additionalProperties: false },
  ),
]);

export type ControlCommand = Static<typeof controlCommandSchema>;

/** Seconds from the end of a word until it is shown for good: the median, and the 95th percentile. */
export interface WordDelay {
  readonly p50: number;
  readonly p95: number;
}

/** An output, as an operator sees it. */
export interface ControlledOutput extends OutputReport {
  readonly name: string;
  readonly delaySeconds: number;
  /** Words that the output has not shown yet because of its delay. */
  readonly waitingWords: number;
  /** The end of the text that the output has shown last; empty after that text was removed. */
  readonly shownText: string;
  /** True where a phrase that was taken back remains, until the next text. */
  readonly keepsRetracted?: boolean;
  /** Delay of the words of the last minute; absent without words, and for finished captions. */
  readonly wordDelay?: WordDelay;
}

/** State of one source and its outputs. */
export interface ControlState {
  /** `off` after `kill`. */
  readonly mode: 'on' | 'paused' | 'off';
  /**
   * Time at which an operator left the captions paused, off or typed in an earlier run, in milliseconds since 1970-01-01 UTC;
   * absent after a command.
   */
  readonly leftAtMs?: number;
  /** True while typed text is shown instead of recognised words. */
  readonly isTyping: boolean;
  readonly language: string;
  /** Words that are not shown. */
  readonly banned: readonly string[];
  readonly replaced: readonly { readonly text: string; readonly by: string }[];
  /** Rules that an operator has added, among the others. */
  readonly addedRules: Pick<TextRules, 'ban' | 'replace'>;
  /** Phrases that an operator has added to the vocabulary. */
  readonly addedPhrases: readonly string[];
  readonly outputs: readonly ControlledOutput[];
}

/** Control of the captions of one source by a person. */
export interface CaptionControl {
  /** Emits the current state, and each change of it; outputs are asked each second. */
  readonly state$: Observable<ControlState>;
  /**
   * Performs a command at once. Resolves when its decision is saved for a restart, if it has to be.
   *
   * @throws InvalidArgumentError for a command that cannot be performed now
   * @throws RxscribeError `store` for a command that was performed, but could not be saved
   */
  perform(command: ControlCommand): Promise<void>;
}
