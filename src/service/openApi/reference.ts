import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ADMIN_PREFIX } from '../../protocol/interfaceNames.ts';
import { AREAS } from '../areas/areas.ts';
import type { Region } from '../region.ts';
import { addComponents } from './components.ts';
import { notifications } from './notifications.ts';
import { ACCOUNT_TAG, HEALTH_TAG, STREAMING_TAG } from './openOperations.ts';
import type { ReferenceOptions } from './operationSchema.ts';
import { operationSchema } from './operationSchema.ts';

export const OPEN_API_PATH = '/openapi.json';
export const DOCS_PATH = '/docs';

/** The page loads nothing from elsewhere, and talks to this service alone. */
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

/** Of the bar at the top only the switch between light and dark is left. */
const PLAIN_CSS = '.topbar .link, .topbar .download-url-wrapper { display: none !important; }';

/** Describes all routes that are added afterwards: as an OpenAPI document, and as a page. */
export function addReference(app: FastifyInstance, options: ReferenceOptions): void {
  addComponents(app, options.region);
  app.register(swagger, swaggerOptions(options));
  app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: { title: 'Reference of the speech service', css: [{ filename: 'plain.css', content: PLAIN_CSS }] },
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0, tryItOutEnabled: false },
  });
  app.register(async scope => {
    const config = { operation: { action: 'hidden' } } as const;
    scope.get(OPEN_API_PATH, { config }, async () => scope.swagger());
    // Relative, for a service behind a path of a proxy.
    scope.get('/', { config }, async (_request, reply) => reply.redirect(`.${DOCS_PATH}`));
  });
}

function swaggerOptions({ region, ...options }: ReferenceOptions): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Speech service',
        version: 'v1',
        description:
          'Transcription of media and of live speech, language identification, forced alignment, sentiment analysis and custom vocabularies. What takes time is a job: it is submitted, then runs; its end is told by a notification, or seen by asking for the job.',
      },
      servers: [{ url: '/' }],
      tags: tagsOf(region),
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      webhooks: notifications({ ...options, region }),
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    transformObject: options => withoutUnused((options as { openapiObject: Document }).openapiObject),
    transform({ schema, url, route }) {
      const operation = route.config?.operation;
      if (schema?.hide || url.startsWith(ADMIN_PREFIX)) return { schema: { ...schema, hide: true }, url };
      if (!operation) throw new Error(`describe ${url}: wanted the operation of the route, found none`);
      return { schema: operationSchema(operation, options), url };
    },
  };
}

/** In the order in which the page shows them. */
function tagsOf(region: Region): { readonly name: string }[] {
  const areas = AREAS.filter(({ name }) => region.areas.includes(name)).map(({ title }) => title);
  const others = [...(region.streaming ? [STREAMING_TAG] : []), ACCOUNT_TAG, HEALTH_TAG];
  return [...areas, ...others].map(name => ({ name }));
}

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>;

/** A deployment without some areas does not describe what only they have. */
function withoutUnused(document: Document): Document {
  const { schemas } = (document as { components: { schemas: Record<string, unknown> } }).components;
  const text = JSON.stringify(document);
  for (const name of Object.keys(schemas)) {
    if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name];
  }
  return document;
}
