import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ADMIN_PREFIX, type BrandNames } from '../../protocol/interfaceNames.ts';
import { inScope } from '../http/inScope.ts';
import type { Region } from '../region.ts';
import { addComponents } from './components.ts';
import { ACCOUNT_TAG, HEALTH_TAG, HIDDEN, STREAMING_TAG } from './openOperations.ts';
import { REFERENCE_THEME } from './referenceTheme.ts';

const OPEN_API_PATH = '/openapi.json';
const DOCS_PATH = '/docs';

/** A policy that lets the page load and contact only this service. */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Facts about a service used by its API reference. */
export interface ReferenceOptions {
  readonly region: Region;
  readonly names: BrandNames;
  /** Titles of its areas, in the order of the page. */
  readonly areaTitles: readonly string[];
}

/** Adds the API reference, as an OpenAPI document and as a page. Describes all routes added afterwards. */
export function addReference(app: FastifyInstance, options: ReferenceOptions): void {
  addComponents(app, options.region);
  app.register(swagger, swaggerOptions(options));
  app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: REFERENCE_THEME,
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0, tryItOutEnabled: false },
  });
  inScope(app, scope => {
    scope.get(OPEN_API_PATH, HIDDEN, async () => scope.swagger());
  });
}

function swaggerOptions(options: ReferenceOptions): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Speech service',
        version: 'v1',
        description:
          'Transcription of recordings and live speech, language identification, forced alignment, sentiment analysis and custom vocabularies. Recordings are processed as jobs: submit a job, then wait for its notification or poll it. Each answer has the id of its request in X-Request-Id: the one that was sent, if it is 1 to 128 letters, digits, dots, underscores or hyphens, else a new one. The notification about a job has the id of its submission.',
      },
      servers: [{ url: '/' }],
      tags: tagsOf(options),
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      webhooks: notifications(options),
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    transformObject: options => withoutUnused((options as { openapiObject: Document }).openapiObject),
    transform({ schema, url }) {
      if (url.startsWith(ADMIN_PREFIX)) return { schema: { hide: true }, url };
      if (!schema) throw new Error(`Route ${url} has no description.`);
      return { schema, url };
    },
  };
}

/** Returns the tags in the order of the page. */
function tagsOf({ region, areaTitles }: ReferenceOptions): { readonly name: string }[] {
  const others = [...(region.streaming ? [STREAMING_TAG] : []), ACCOUNT_TAG, HEALTH_TAG];
  return [...areaTitles, ...others].map(name => ({ name }));
}

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>;

/** Removes schemas that only unsupported areas use. */
function withoutUnused(document: Document): Document {
  const { schemas } = (document as { components: { schemas: Record<string, unknown> } }).components;
  const text = JSON.stringify(document);
  for (const name of Object.keys(schemas)) {
    if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name];
  }
  return document;
}

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
        'A status of 200 to 299 confirms the notification, 410 stops it; after any other status, it is repeated for 24 hours, with the same delivery header.',
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
