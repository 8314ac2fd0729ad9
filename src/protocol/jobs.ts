import { type Static, Type } from 'typebox';

export const JobTypeSchema = Type.Union([
  Type.Literal('async'),
  Type.Literal('human_tc'),
  Type.Literal('stream'),
  Type.Literal('language_id'),
  Type.Literal('alignment'),
  Type.Literal('sentiment_analysis'),
]);

/** A job as every v1 area shows it; fields without a value are left out. */
export const JobSchema = Type.Object(
  {
    id: Type.String(),
    /** ISO 8601, UTC, fractional seconds, ends in Z. */
    created_on: Type.String(),
    completed_on: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.String()),
    status: Type.String(),
    type: JobTypeSchema,
    language: Type.Optional(Type.String()),
    duration_seconds: Type.Optional(Type.Number()),
    delete_after_seconds: Type.Optional(Type.Integer()),
    failure: Type.Optional(Type.String()),
    failure_detail: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

export const AccountSchema = Type.Object({ email: Type.String(), balance_seconds: Type.Integer() });

export type JobType = Static<typeof JobTypeSchema>;
export type Job = Static<typeof JobSchema>;
export type Account = Static<typeof AccountSchema>;
