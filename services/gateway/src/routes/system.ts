import { z } from 'zod';
import { ClientErrorReport, MAX_REPORT_BYTES } from '@beltway/contracts/ops/client-errors';
import { ClientSpan, MAX_SPAN_BYTES } from '@beltway/contracts/ops/client-spans';
import { PublicConfig } from '@beltway/contracts/ops/config';
import { AlertPage, AlertQuery } from '@beltway/contracts/payments/payments';
import { DeadLetterItem, DeadLetterPage, DeadLetterQuery, DeadLetterText } from '@beltway/contracts/ops/dead-letters';
import { OpsServices } from '@beltway/contracts/ops/instances';
import { InvariantsChecked, LastInvariants } from '@beltway/contracts/ops/invariants';
import { MAX_RETRY_BYTES, OpsJobs, OpsRetryBody, Retried } from '@beltway/contracts/ops/jobs';
import { MAX_SEARCH_BYTES, OpsFound, OpsSearchBody, Timeline } from '@beltway/contracts/ops/timelines';
import { MAIL_SERVICES } from '@beltway/kit/mail/samples';
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
    rate: 'report',
    gate: 'report',
    answer: InvariantsChecked,
  },
  {
    method: 'get',
    path: '/api/ops/invariants/last',
    summary: 'What the last check of the invariants found, and when; nothing is checked',
    access: 'admin',
    answer: LastInvariants,
  },
  {
    method: 'post',
    path: '/api/ops/invariants/check',
    summary: 'Check the invariants now: one check at a time, two a minute at most. Who asks is recorded',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: InvariantsChecked,
    problems: [429],
  },
  {
    method: 'get',
    path: '/api/ops/services',
    summary: 'Every instance of every service: its version, whether it is ready, how far it is behind',
    access: 'admin',
    answer: OpsServices,
  },
  {
    method: 'get',
    path: '/api/ops/dead-letters',
    summary: 'Messages that a group of consumers could not handle, newest first, without what is personal in them',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    query: DeadLetterQuery.shape,
    answer: DeadLetterPage,
    problems: [400],
  },
  {
    method: 'post',
    path: '/api/ops/dead-letters/{letterId}/look',
    summary: 'All of a dead letter, with what is personal in it. The look is recorded',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: DeadLetterText,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/ops/dead-letters/{letterId}/replay',
    summary:
      'Send a dead letter to its group again, to nobody else. Once: a repeat is answered the same and sends nothing',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: DeadLetterItem,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/ops/dead-letters/{letterId}/discard',
    summary: 'Give a dead letter up: nobody handles its message any more',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: DeadLetterItem,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/ops/jobs',
    summary: 'Jobs that services gave up after their last attempt, by queue, with their causes',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: OpsJobs,
  },
  {
    method: 'post',
    path: '/api/ops/jobs/retry',
    summary: 'Run a job again that was given up, or all of a queue. It is recorded',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    body: OpsRetryBody,
    maxBytes: MAX_RETRY_BYTES,
    answer: Retried,
    problems: [400, 415],
  },
  {
    method: 'post',
    path: '/api/ops/search',
    summary:
      'Find orders and payments by an id, also one of the card provider’s, a number, a code or a buyer’s whole address. It is recorded',
    access: 'admin',
    rate: 'read',
    body: OpsSearchBody,
    maxBytes: MAX_SEARCH_BYTES,
    answer: OpsFound,
    problems: [400],
  },
  {
    method: 'post',
    path: '/api/ops/timelines/{timelineId}',
    summary: 'What became of an order or payment, by the events of all services. The look is recorded',
    access: 'admin',
    gate: 'report',
    rate: 'report',
    answer: Timeline,
    problems: [404],
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
  {
    method: 'post',
    path: '/api/client-spans',
    summary: 'Report how long a request of a recorded trace took in the browser (`tracesRatio` of `GET /api/config`)',
    access: 'public',
    rate: 'client-span',
    body: ClientSpan,
    maxBytes: MAX_SPAN_BYTES,
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
  { prefix: '/sandbox/stripe', service: 'sandbox', rate: 'read', only: 'sandbox' },
  { prefix: '/dev/payments', service: 'sandbox', only: 'embedded' },
  // Each service has the samples of its mails, ticketing the mailbox of all.
  ...MAIL_SERVICES.map((service): Mount => ({ prefix: `/dev/mail/kinds/${service}`, service, only: 'embedded' })),
  { prefix: '/dev/mail', service: 'ticketing', only: 'embedded' },
];
