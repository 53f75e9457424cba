import type { RequestHandler } from 'express';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { Reaction, RoomId } from '@beltway/contracts/realtime/chat';
import { IdText, Problem } from '@beltway/contracts/common/basics';
import { CaseId } from '@beltway/contracts/identity/moderation';
import { representations, type Representations } from '../response-cache/representations.ts';
import { sendRepresentations } from '../response-cache/send.ts';
import type { Access, Route } from '../routes/route.ts';

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });
const refused = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});

const parameters: Record<string, z.ZodType> = {
  id: IdText,
  orderId: z.uuid(),
  name: z.string(),
  messageId: z.uuid(),
  sessionId: z.uuid(),
  passkeyId: z.uuid(),
  commentId: IdText,
  notificationId: IdText,
  searchId: IdText,
  userId: IdText,
  adId: z.uuid(),
  alertId: z.string(),
  letterId: z.uuid(),
  timelineId: z.uuid(),
  eventId: IdText,
  viewerId: z.uuid(),
  session: z.uuid(),
  token: z.string(),
  room: RoomId,
  seq: IdText,
  reaction: Reaction,
  caseId: CaseId,
  person: z.string(),
  code: z.string(),
};
const security: Record<Access, Array<Record<string, string[]>>> = {
  public: [],
  optional: [{}, { bearer: [] }],
  'signed in': [{ bearer: [] }],
  admin: [{ bearer: [] }],
};
/** Refusals that follow from a call's access rule. */
const refusals: Record<Access, number[]> = { public: [], optional: [401], 'signed in': [401], admin: [401, 403] };

/** Refusals of input: a malformed path, an unreadable body, an invalid header. */
const refusalsOfInput = ({ path, body, upload, query, headers = [] }: Route): number[] => [
  ...(path.includes('{') || query ? [400] : []),
  ...(body || upload ? [400, 413, 415] : []),
  ...(headers.includes('Idempotency-Key') ? [400, 422] : []),
  ...(headers.includes('If-Match') ? [412] : []),
];

const nameOf = ({ method, path }: Route): string =>
  method + path.replace(/^\/api/, '').replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

function bodyOf({ body, upload, uploadMay, uploadFields }: Route) {
  if (body) return { requestBody: { required: true, ...json(body) } };
  if (!upload) return {};
  const file = z.string().meta({ format: 'binary' });
  const schema = z.object({
    [upload]: file,
    ...(uploadMay && { [uploadMay]: file.optional() }),
    ...uploadFields?.shape,
  });
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { summary, access, answer, file, status = 200, problems = [], headers = [], query, path, cache } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, parameters[name!]!] as const);
  const content = answer ? json(answer) : file ? { content: { [file]: {} } } : {};
  return {
    summary,
    ...(access === 'admin' && { description: 'For admins only.' }),
    operationId: nameOf(route),
    security: security[access],
    requestParams: {
      ...(inPath.length > 0 && { path: z.object(Object.fromEntries(inPath)) }),
      ...(headers.length > 0 && {
        header: z.object(Object.fromEntries(headers.map((name) => [name, z.string().optional()]))),
      }),
      ...(query && { query: z.object(query) }),
    },
    ...bodyOf(route),
    responses: {
      [status]: {
        description: 'Success',
        ...content,
        ...(cache && { headers: z.object({ 'Cache-Control': z.string().optional() }) }),
      },
      ...Object.fromEntries(
        [...new Set([...refusals[access], ...refusalsOfInput(route), ...problems])].map((code) => [
          String(code),
          refused('The request was refused; `code` states the reason'),
        ]),
      ),
      default: refused(
        '429: too many requests. 503 or 504: a service is temporarily unavailable. `Retry-After` is the number of seconds to wait. 408: the body did not arrive in time',
      ),
    },
  };
}

/** The OpenAPI 3.1 document, generated from the schemas that the services use for parsing. */
export function openApiDocument(publicUrl: string, routes: readonly Route[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Beltway',
      version: '1',
      description:
        'Events around Washington, DC, Maryland and Virginia, and tickets for them. Fields named `amount` or `…Cents` are integer cents, except `amount` in attendee lists, which is in dollars. Live numbers of available tickets are sent over socket.io at `/socket.io`.',
    },
    servers: [{ url: publicUrl }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  };
  return createDocument(document, {
    // Clients read unknown values as a placeholder (`orUnknown`). The API itself never returns the placeholder.
    override: ({ jsonSchema, zodSchema }) => {
      if (zodSchema._zod.def.type === 'catch') delete jsonSchema.default;
    },
  });
}

/** GET /api/openapi.json, generated and compressed once, at the first request. */
export function documentRoute(publicUrl: string, routes: readonly Route[]): RequestHandler {
  let made: Representations | undefined;
  return (req, res) => {
    made ??= representations(
      [['content-type', 'application/json; charset=utf-8']],
      Buffer.from(JSON.stringify(openApiDocument(publicUrl, routes))),
    );
    return sendRepresentations(req, res, made, { cacheControl: 'public, max-age=3600' });
  };
}
