import { Type } from 'typebox';
import { InvalidArgumentError, messageOf } from '../../base/errors.ts';
import { DeskSpeakerNamesSchema, DeskTurnsSchema } from '../../protocol/desk.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { withNames } from '../../transcript/merge/withNames.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { decodeText, NOT_TEXT } from '../../web/readText.ts';
import { refuse, schemaFaults } from '../areas/faults.ts';
import { invalidParameters, type ProblemError } from '../problems.ts';
import { docxText } from '../tasks/human/docxText.ts';
import { parseHumanTranscript } from '../tasks/human/humanText.ts';
import { checkTurns, transcriptOf } from './turns.ts';

/** The finished work of a person. */
export interface Work {
  readonly transcript: Transcript;
  /** The revision of the draft that was changed, if it is known. */
  readonly revision?: number;
}

const TurnsSchema = Type.Object({
  revision: Type.Optional(Type.Integer({ minimum: 0 })),
  turns: DeskTurnsSchema,
  speaker_names: Type.Optional(DeskSpeakerNamesSchema),
});

/** The beginning of turns in JSON; a transcript begins with another list. */
const TURNS = /^\uFEFF?\s*\{[^[\]{}]*"turns"\s*:/u;

/** Signature of a ZIP archive, such as a Word document. */
const ARCHIVE = Buffer.from('PK\x03\x04');

/** Returns work that was sent, as text. @throws ProblemError `invalidParameters` unless it is UTF-8, UTF-16 with a byte order mark, or a Word document */
export async function textOfWork(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, ARCHIVE.length).equals(ARCHIVE)) {
    return docxText(bytes).catch(error => {
      throw unreadable(messageOf(error));
    });
  }
  const text = decodeText(bytes);
  if (text === undefined) throw unreadable(`The transcript cannot be read: ${NOT_TEXT}.`);
  return text;
}

/**
 * Reads work: turns with the times of words, as the desk saves them; or a transcript in JSON, or text, as for
 * `parseHumanTranscript`.
 *
 * @param known.seconds length of the media
 * @throws ProblemError `invalidParameters` when it cannot be read, or has no words
 */
export function readWork(
  contents: string,
  known: { readonly speakerNames: readonly string[] | undefined; readonly seconds: number },
): Work {
  if (TURNS.test(contents)) return readTurns(contents, known.seconds);
  const speakers = known.speakerNames;
  try {
    return { transcript: withNames(parseHumanTranscript(contents, speakers), { speakers }) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw unreadable(error.message);
  }
}

function readTurns(contents: string, seconds: number): Work {
  const json = jsonOf(contents.replace(/^\uFEFF/, ''));
  if (json === undefined) throw unreadable('The turns are damaged JSON.');
  refuse(schemaFaults(TurnsSchema, json));
  const { revision, turns, speaker_names: speakers } = json as Type.Static<typeof TurnsSchema>;
  checkTurns(turns, seconds);
  return { transcript: withNames(transcriptOf(turns), { speakers }), revision };
}

export function withoutWords(): ProblemError {
  return unreadable('The transcript has no words.');
}

function unreadable(reason: string): ProblemError {
  return invalidParameters({ request: [reason] });
}
