import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import type { Region } from '../region.ts';

/** The webhooks of a document; not every version of its type has them. */
type WebhooksOf<Form> = Form extends { webhooks?: infer Webhooks }
  ? unknown extends Webhooks
    ? never
    : NonNullable<Webhooks>
  : never;
type Webhooks = WebhooksOf<NonNullable<FastifyDynamicSwaggerOptions['openapi']>>;

/** Returns the webhooks of the service: the notifications posted to the addresses in submissions. */
export function notifications({
  region,
  names,
}: {
  readonly region: Region;
  readonly names: BrandNames;
}): Webhooks {
  return {
    jobEnded: notification('A job has ended', { job: 'Job' }, names),
    ...(region.areas.includes('vocabularies') && {
      vocabularyEnded: notification('A vocabulary has ended', { custom_vocabulary: 'Vocabulary' }, names),
    }),
  };
}

function notification(
  summary: string,
  fields: Readonly<Record<string, string>>,
  { signatureHeader, deliveryHeader }: BrandNames,
): Webhooks[string] {
  const properties = Object.entries(fields).map(
    ([name, component]) => [name, { $ref: `#/components/schemas/${component}` }] as const,
  );
  const schema = {
    type: 'object',
    required: Object.keys(fields),
    properties: Object.fromEntries(properties),
  } as const;
  const text = { type: 'string' } as const;
  return {
    post: {
      summary,
      description:
        'A status of 200 to 299 confirms it, 410 stops it; after any other it is sent again for 24 hours, with the same delivery header.',
      parameters: [
        { in: 'header', name: deliveryHeader, required: true, schema: text },
        {
          in: 'header',
          name: signatureHeader,
          schema: text,
          description: 'Signs the time and the exact bytes, when the account has a signing secret.',
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '200': { description: 'Received.' },
        '410': { description: 'No further attempts.' },
      },
    },
  };
}
