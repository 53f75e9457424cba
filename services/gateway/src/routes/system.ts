import { z } from 'zod';
import { ClientErrorReport, MAX_REPORT_BYTES } from '@beltway/contracts/client-errors';
import { PublicConfig } from '@beltway/contracts/config';
import { AlertPage, AlertQuery } from '@beltway/contracts/payments';
import { InvariantReport } from '@beltway/contracts/ops';
import { answeredBy, type Mount, type Route } from './route.ts';

export const system: Route[] = answeredBy('gateway', [
  {
    method: 'get',
    path: '/api/config',
    summary: 'What the page may know of how this Beltway runs',
    access: 'public',
    cache: 'public',
    answer: PublicConfig,
  },
  {
    method: 'get',
    path: '/api/health/live',
    summary: 'The gateway runs',
    access: 'public',
    answer: z.object({ status: z.literal('live') }),
  },
  {
    method: 'get',
    path: '/api/health/ready',
    summary: 'Every service can do its work; 503 names those that cannot',
    access: 'public',
    answer: z.object({ status: z.literal('ready') }),
  },
  {
    method: 'get',
    path: '/api/ops/invariants',
    summary:
      'What must always hold, checked on live data now. In embedded mode also without a token, from the same machine',
    access: 'admin',
    answer: InvariantReport.extend({ ok: z.boolean(), at: z.iso.datetime() }),
  },
  {
    method: 'get',
    path: '/api/platform/alerts',
    summary:
      'What admins must look at: refunds that failed after they succeeded, money given back at the provider, disputes',
    access: 'admin',
    query: AlertQuery.shape,
    answer: AlertPage,
    problems: [400],
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    access: 'public',
    cache: 'public',
    answer: z.looseObject({ openapi: z.string() }),
  },
  {
    method: 'post',
    path: '/api/client-errors',
    summary: 'Report an error that the page did not expect; `path` is the page’s, without its query',
    access: 'public',
    rate: 'client-error',
    body: ClientErrorReport,
    maxBytes: MAX_REPORT_BYTES,
    status: 204,
  },
]);

export const webhooks: Route[] = answeredBy('payments', [
  {
    method: 'post',
    path: '/api/stripe/webhook',
    summary: 'What the card provider tells, signed over the raw body (`Stripe-Signature`)',
    access: 'public',
    // Signed, so no rate is counted.
    rate: 'none',
    gate: 'webhook',
    maxBytes: 1_048_576,
    body: z.looseObject({ id: z.string(), type: z.string() }),
    answer: z.object({ received: z.literal(true) }),
    problems: [400],
  },
]);

/** Sockets and the card form also use POST; both limit themselves, so all of it counts as reads. */
export const mounts: Mount[] = [
  { prefix: '/socket.io', service: 'realtime', rate: 'read' },
  { prefix: '/sandbox/stripe', service: 'sandbox', rate: 'read', embeddedOnly: true },
  { prefix: '/dev/payments', service: 'sandbox', embeddedOnly: true },
  { prefix: '/dev/mail', service: 'ticketing', embeddedOnly: true },
];
