import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { reasonOf } from '../../base/errors.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { cannotContinue, contentOf } from '../files/continuation.ts';
import { writeText } from '../files/transcriptFiles.ts';
import { checkTextRules } from '../text/textRules.ts';
import { languageSchema } from './captionControl.ts';

/** Decisions of an operator that a later run continues with. */
const decisionsSchema = Type.Object({
  /** Time of the last one, in milliseconds since 1970-01-01 UTC. */
  atMs: Type.Number(),
  mode: Type.Union([Type.Literal('on'), Type.Literal('paused'), Type.Literal('off')]),
  /** True while typed text is shown instead of recognised words. */
  isTyping: Type.Boolean(),
  /** True after a kill: text that was said before must not be shown again. */
  wasKilled: Type.Optional(Type.Boolean()),
  /** Absent for that of the options. */
  language: Type.Optional(languageSchema),
  /** Words that are not shown, beside those of the options. */
  ban: Type.Array(Type.String()),
  replace: Type.Array(Type.Object({ text: Type.String(), by: Type.String() })),
  addedPhrases: Type.Array(Type.String()),
});

export type OperatorDecisions = Static<typeof decisionsSchema>;

const VERSION = 1;
const fileSchema = Type.Object({ version: Type.Literal(VERSION), decisions: decisionsSchema });

/**
 * Reads the decisions of an operator from a file; undefined without one.
 *
 * @throws InvalidArgumentError when the file cannot be read, is damaged, or is of another version
 * @example
 * const path = 'talk.operator.json';
 * const room = new CaptionRoom({
 *   language: 'en',
 *   tracks: [{ feeds: [new OutputFeed({ output: fileOutput(['talk.srt']) })] }],
 *   decisions: readDecisions(path),
 *   keep: decisions => writeDecisions(path, decisions),
 * });
 * await room.close();
 */
export function readDecisions(path: string): OperatorDecisions | undefined {
  const remedy = "Remove the file to begin without the operator's decisions.";
  const content = contentOf(path, remedy);
  if (!content) return undefined;
  const file = jsonOf(content.text);
  const version: unknown = Object(file).version;
  const refuse = (reason: string) => cannotContinue(path, reason, { remedy });
  if (typeof version === 'number' && version !== VERSION) {
    throw refuse(`it is of version ${version} instead of ${VERSION}`);
  }
  if (!Value.Check(fileSchema, file)) throw refuse("it is not a complete file of an operator's decisions");
  try {
    checkTextRules(file.decisions);
  } catch (error) {
    throw refuse(reasonOf(error));
  }
  return file.decisions;
}

/**
 * Replaces the decisions in a file. They are on the disk when the promise resolves.
 *
 * @throws RxscribeError `store` when the file cannot be written
 * @example
 * const feeds = [new OutputFeed({ output: fileOutput(['talk.srt']) })];
 * const room = new CaptionRoom({
 *   language: 'en',
 *   tracks: [{ feeds }],
 *   keep: decisions => writeDecisions('talk.operator.json', decisions),
 * });
 * await room.close();
 */
export function writeDecisions(path: string, decisions: OperatorDecisions): Promise<void> {
  const text = `${JSON.stringify({ version: VERSION, decisions })}\n`;
  return writeText(path, text, { flush: true });
}

/** Returns a sentence on captions that begin as an operator left them: paused, off or typed by hand; else undefined. */
export function decisionsNote({ mode, isTyping, atMs }: OperatorDecisions): string | undefined {
  if (mode === 'on' && !isTyping) return undefined;
  const time = new Date(atMs).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const [state, remedy] = mode === 'on' ? ['typed by hand', 'Hand them back'] : [mode, 'Start them'];
  return `Captions are ${state}, as the operator left them on ${time}. ${remedy} on the operator's page.`;
}
