import { type Static, Type } from 'typebox';

/** The body of every response with a status of 400 and above; further fields depend on the problem. */
export const ProblemSchema = Type.Object(
  {
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    type: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String()),
    parameter: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    allowed_values: Type.Optional(Type.Array(Type.String())),
    current_value: Type.Optional(Type.String()),
    current_balance: Type.Optional(Type.Integer()),
  },
  { additionalProperties: true },
);

export type Problem = Static<typeof ProblemSchema>;
