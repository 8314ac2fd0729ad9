import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ADMIN_PREFIX } from '../../protocol/interfaceNames.ts';
import { AREAS } from '../areas/areas.ts';
import type { Region } from '../region.ts';
import { addComponents } from './components.ts';
import { notifications } from './notifications.ts';
import { ACCOUNT_TAG, HEALTH_TAG, STREAMING_TAG } from './openOperations.ts';
import { operationSchema, type ReferenceOptions } from './operationSchema.ts';

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

/** Hides the top bar except the switch between light and dark. */
const PLAIN_CSS = '.topbar .link, .topbar .download-url-wrapper { display: none !important; }';

/** Adds the API reference, as an OpenAPI document and as a page. Describes all routes added afterwards. */
export function addReference(app: FastifyInstance, options: ReferenceOptions): void {
  addComponents(app, options.region);
  app.register(swagger, swaggerOptions(options));
  app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: {
      title: 'API reference of the speech service',
      css: [{ filename: 'plain.css', content: PLAIN_CSS }],
    },
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0, tryItOutEnabled: false },
  });
  app.register(async scope => {
    const config = { operation: { action: 'hidden' } } as const;
    scope.get(OPEN_API_PATH, { config }, async () => scope.swagger());
    // Relative, for a service behind a proxy with a path.
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
          'Transcription of recordings and live speech, language identification, forced alignment, sentiment analysis and custom vocabularies. Recordings are processed as jobs: submit a job, then wait for its notification or poll it. Each answer has the id of its request in X-Request-Id: the one that was sent, if it is 1 to 128 letters, digits, dots, underscores or hyphens, else a new one. The notification about a job has the id of its submission.',
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
      if (!operation) throw new Error(`Route ${url} has no operation to describe.`);
      return { schema: operationSchema(operation, options), url };
    },
  };
}

/** Returns the tags in the order of the page. */
function tagsOf(region: Region): { readonly name: string }[] {
  const areas = AREAS.filter(({ name }) => region.areas.includes(name)).map(({ title }) => title);
  const others = [...(region.streaming ? [STREAMING_TAG] : []), ACCOUNT_TAG, HEALTH_TAG];
  return [...areas, ...others].map(name => ({ name }));
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
