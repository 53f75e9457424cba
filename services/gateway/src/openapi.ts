import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { CreateEventBody, Event, EventList, UpdateEventBody } from '@beltway/contracts/catalog';
import { IdText, Problem } from '@beltway/contracts/common';
import { PublicConfig } from '@beltway/contracts/config';
import { LoginBody, RegisterBody, Session, User } from '@beltway/contracts/identity';
import { StoredImage } from '@beltway/contracts/media';
import {
  Availability,
  CreateTicketPaymentIntentBody,
  Hold,
  HoldBody,
  MyTickets,
  Order,
  ProcessTicketPurchaseBody,
  TicketPaymentIntent,
  TicketPurchaseResult,
  TicketStats,
} from '@beltway/contracts/ticketing';

type Access = 'public' | 'optional' | 'signed in' | 'admin';

interface Call {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  summary: string;
  access: Access;
  body?: z.ZodType;
  answer?: z.ZodType;
  status?: 200 | 201 | 204;
  problems?: number[];
}

const id = z.object({ id: IdText });
const orderId = z.object({ orderId: z.uuid() });

/** Every public call, made from the contracts that the services parse by. */
const calls: Call[] = [
  {
    method: 'post',
    path: '/api/auth/register',
    summary: 'Open an account',
    access: 'public',
    body: RegisterBody,
    answer: Session,
    status: 201,
    problems: [400, 409, 429],
  },
  {
    method: 'post',
    path: '/api/auth/login',
    summary: 'Sign in',
    access: 'public',
    body: LoginBody,
    answer: Session,
    problems: [400, 401, 429],
  },
  {
    method: 'post',
    path: '/api/auth/refresh',
    summary: 'Exchange the refresh cookie for a new access token',
    access: 'public',
    answer: Session,
    problems: [401],
  },
  {
    method: 'post',
    path: '/api/auth/logout',
    summary: 'End the session, everywhere at once',
    access: 'optional',
    status: 204,
  },
  {
    method: 'get',
    path: '/api/auth/me',
    summary: 'The signed-in user',
    access: 'signed in',
    answer: User,
    problems: [401],
  },
  { method: 'get', path: '/api/events', summary: 'Events, soonest first', access: 'public', answer: EventList },
  {
    method: 'post',
    path: '/api/events',
    summary: 'Launch an event',
    access: 'signed in',
    body: CreateEventBody,
    answer: Event,
    status: 201,
    problems: [400, 401, 413, 422],
  },
  { method: 'get', path: '/api/events/featured', summary: 'Promoted events', access: 'public', answer: EventList },
  { method: 'get', path: '/api/events/all', summary: 'Events for a picker', access: 'public', answer: EventList },
  { method: 'get', path: '/api/events/{id}', summary: 'One event', access: 'optional', answer: Event, problems: [404] },
  {
    method: 'patch',
    path: '/api/events/{id}',
    summary: 'Change an event of one’s own',
    access: 'signed in',
    body: UpdateEventBody,
    answer: Event,
    problems: [400, 401, 403, 404, 409],
  },
  {
    method: 'post',
    path: '/api/events/{id}/cancel',
    summary: 'Cancel an event of one’s own; every buyer is refunded',
    access: 'signed in',
    answer: Event,
    problems: [401, 403, 404],
  },
  {
    method: 'get',
    path: '/api/events/{id}/availability',
    summary: 'Tickets there are, sold and held',
    access: 'public',
    answer: Availability,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/users/{id}/events',
    summary: 'One’s own events',
    access: 'signed in',
    answer: EventList,
    problems: [401, 403],
  },
  {
    method: 'post',
    path: '/api/holds',
    summary: 'Hold 1 to 10 tickets for ten minutes',
    access: 'optional',
    body: HoldBody,
    answer: Hold,
    status: 201,
    problems: [400, 409, 422, 429, 503],
  },
  {
    method: 'post',
    path: '/api/holds/{orderId}/extension',
    summary: 'Ten more minutes, once',
    access: 'optional',
    answer: Hold,
    problems: [404, 409],
  },
  {
    method: 'delete',
    path: '/api/holds/{orderId}',
    summary: 'Give a hold back',
    access: 'optional',
    status: 204,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/create-ticket-payment-intent',
    summary: 'A payment intent for held tickets',
    access: 'optional',
    body: CreateTicketPaymentIntentBody,
    answer: TicketPaymentIntent,
    problems: [400, 404, 409, 503],
  },
  {
    method: 'post',
    path: '/api/process-ticket-purchase',
    summary: 'Turn a paid hold into tickets',
    access: 'optional',
    body: ProcessTicketPurchaseBody,
    answer: TicketPurchaseResult,
    problems: [400, 403, 404, 503],
  },
  {
    method: 'get',
    path: '/api/orders/{orderId}',
    summary: 'An order, for its buyer or the holder of its link (?key=)',
    access: 'optional',
    answer: Order,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/tickets/my-tickets',
    summary: 'One’s own tickets',
    access: 'signed in',
    answer: MyTickets,
    problems: [401],
  },
  {
    method: 'get',
    path: '/api/tickets/stats',
    summary: 'Tickets sold, revenue in dollars, events',
    access: 'public',
    answer: TicketStats,
  },
  {
    method: 'get',
    path: '/api/tickets/signing-key',
    summary: 'The key that doors check tickets with',
    access: 'public',
    answer: z.object({ algorithm: z.literal('Ed25519'), publicKey: z.string() }),
  },
  {
    method: 'get',
    path: '/api/config',
    summary: 'What the page may know of how this Beltway runs',
    access: 'public',
    answer: PublicConfig,
  },
  {
    method: 'post',
    path: '/api/images',
    summary: 'Store a picture (multipart field `image`, 5 MB at most)',
    access: 'signed in',
    answer: StoredImage,
    status: 201,
    problems: [400, 401, 413, 429],
  },
];

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

function operation({
  summary,
  access,
  body,
  answer,
  status = 200,
  problems = [],
  path,
  method,
}: Call): ZodOpenApiOperationObject {
  const params = path.includes('{orderId}') ? orderId : path.includes('{id}') ? id : undefined;
  return {
    summary,
    operationId: `${method}${path.replace(/^\/api/, '').replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    security: access === 'public' ? [] : access === 'optional' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(params && { requestParams: { path: params } }),
    ...(body && { requestBody: { required: true, ...json(body) } }),
    responses: {
      [status]: { description: 'Done', ...(answer && json(answer)) },
      ...Object.fromEntries(
        problems.map((code) => [
          code,
          { description: 'Refused; `code` says why', content: { 'application/problem+json': { schema: Problem } } },
        ]),
      ),
    },
  };
}

let made: unknown;

/** OpenAPI 3.1. Made once, from the same schemas that the services parse by. */
export function openApiDocument(publicUrl: string): unknown {
  const paths: ZodOpenApiPathsObject = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: operation(call) };
  made ??= createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Beltway',
      version: '1',
      description:
        'What is on tonight around DC, Maryland and Virginia, and the ticket for it. Amounts called `amount` or `…Cents` are integer cents.',
    },
    servers: [{ url: publicUrl }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  });
  return made;
}
