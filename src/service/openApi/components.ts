import type { FastifyInstance } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { AccountSchema, JobSchema, LegacyJobSchema, VocabularySchema } from '../../protocol/jobs.ts';
import { ProblemSchema } from '../../protocol/problems.ts';
import { LanguageIdResultSchema, SentimentResultSchema } from '../../protocol/results.ts';
import {
  AlignmentSubmissionSchema,
  LanguageIdSubmissionSchema,
  LegacySubmissionSchema,
  SentimentSubmissionSchema,
  SpeechToTextSubmissionSchema,
  VocabularySubmissionSchema,
} from '../../protocol/submissions.ts';
import { TranscriptSchema } from '../../protocol/transcriptJson.ts';
import type { Region } from '../region.ts';

const SUBMISSIONS: Readonly<Record<string, TObject>> = {
  SpeechToTextSubmission: SpeechToTextSubmissionSchema,
  LegacySubmission: LegacySubmissionSchema,
  LanguageIdSubmission: LanguageIdSubmissionSchema,
  AlignmentSubmission: AlignmentSubmissionSchema,
  SentimentSubmission: SentimentSubmissionSchema,
  VocabularySubmission: VocabularySubmissionSchema,
};

const ANSWERS: Readonly<Record<string, TSchema>> = {
  Job: JobSchema,
  LegacyJob: LegacyJobSchema,
  Vocabulary: VocabularySchema,
  Transcript: TranscriptSchema,
  LanguageIdResult: LanguageIdResultSchema,
  SentimentResult: SentimentResultSchema,
  Account: AccountSchema,
  Problem: ProblemSchema,
};

const NAMES = new Map(
  Object.entries({ ...SUBMISSIONS, ...ANSWERS }).map(([name, schema]) => [schema, name] as const),
);

/** Adds the wire schemas to the document by name, without the parameters that a deployment does not support. */
export function addComponents(app: FastifyInstance, region: Region): void {
  for (const [name, schema] of Object.entries(ANSWERS)) app.addSchema({ ...schema, $id: name });
  for (const [name, schema] of Object.entries(SUBMISSIONS)) {
    app.addSchema({ ...supportedPart(schema, region), $id: name });
  }
}

/** @example inMib(1024 * 1024) // '1 MiB' */
export function inMib(bytes: number): string {
  return `${Math.round((100 * bytes) / 1024 ** 2) / 100} MiB`;
}

/** Returns a reference to a wire schema by its name. */
export function refTo(schema: TSchema): { readonly $ref: string } {
  const name = NAMES.get(schema);
  if (name === undefined) throw new Error('A schema without a name cannot be referenced.');
  return { $ref: `${name}#` };
}

function supportedPart(schema: TObject, { unsupported }: Region): TObject {
  const fields = Object.entries(schema.properties).flatMap(([name, field]) => {
    const values = unsupported[name];
    if (values === undefined) return [[name, field] as const];
    return values === 'any' ? [] : [[name, Type.Optional(withoutValues(field, values))] as const];
  });
  return Type.Object(Object.fromEntries(fields));
}

/** Returns a union without some of its literals. */
function withoutValues(schema: TSchema, values: readonly string[]): TSchema {
  if (!Type.IsUnion(schema)) return schema;
  const rest = schema.anyOf.filter(
    branch => !(Type.IsLiteral(branch) && values.includes(String(branch.const))),
  );
  return Type.Union(rest);
}
