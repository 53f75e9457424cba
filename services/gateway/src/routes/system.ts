import { z } from 'zod';
import { ClientErrorReport, MAX_REPORT_BYTES } from '@beltway/contracts/ops/client-errors';
import { ClientSpan, MAX_SPAN_BYTES } from '@beltway/contracts/ops/client-spans';
import { PublicConfig } from '@beltway/contracts/ops/config';
import { AlertPage, AlertQuery } from '@beltway/contracts/payments/payments';
import { DeadLetterItem, DeadLetterPage, DeadLetterQuery, DeadLetterText } from '@beltway/contracts/ops/dead-letters';
import { OpsServices } from '@beltway/contracts/ops/instances';
import { InvariantsChecked, LastInvariants } from '@beltway/contracts/ops/invariants';
import {
  Discarded,
  MAX_RETRY_BYTES,
  OpsDiscardBody,
  OpsJobs,
  OpsRetryBody,
  Retried,
} from '@beltway/contracts/ops/jobs';
import { MAX_SEARCH_BYTES, OpsFound, OpsSearchBody, Timeline } from '@beltway/contracts/ops/timelines';
import { MAIL_SERVICES } from '@beltway/kit/mail/samples';
import { answeredBy, type Mount, type Route } from './route.ts';

export const system: Route[] = answeredBy('gateway', [
  {
    method: 'get',
    path: '/api/config',
    summary: 'Get this installation’s public settings, which pages need',
    access: 'public',
    cache: 'public',
    answer: PublicConfig,
  },
  {
    method: 'get',
    path: '/api/health/live',
    summary: 'Check that the gateway runs',
    access: 'public',
    answer: z.object({ status: z.literal('live') }),
  },
  {
    method: 'get',
    path: '/api/health/ready',
    summary: 'Check that every service is ready; 503 names those that are not',
    access: 'public',
    answer: z.object({ status: z.literal('ready') }),
  },
  {
    method: 'get',
    path: '/api/ops/invariants',
    summary: 'Check the invariants on live data now. In embedded mode also without a token, from the same machine',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: InvariantsChecked,
  },
  {
    method: 'get',
    path: '/api/ops/invariants/last',
    summary: 'Get the result and time of the last check of the invariants, without checking anything',
    access: 'admin',
    answer: LastInvariants,
  },
  {
    method: 'post',
    path: '/api/ops/invariants/check',
    summary: 'Check the invariants now: one check at a time, one every 30 seconds at most; recorded in the audit log',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: InvariantsChecked,
    problems: [429],
  },
  {
    method: 'get',
    path: '/api/ops/services',
    summary:
      'List the instances of every service with version, readiness and backlog; of gateways only the one that responds',
    access: 'admin',
    answer: OpsServices,
  },
  {
    method: 'get',
    path: '/api/ops/dead-letters',
    summary: 'List messages that a consumer group could not handle, newest first, without their personal data',
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
    summary:
      'Get a dead letter with its personal data, and its message up to 20,000 characters; the access is recorded in the audit log',
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
      'Send a dead letter again, only to its group and only once; a repeat gets the same response and sends nothing',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: DeadLetterItem,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/ops/dead-letters/{letterId}/discard',
    summary: 'Discard a dead letter, so that its message is never handled',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: DeadLetterItem,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/ops/jobs',
    summary: 'List jobs that services gave up after the last attempt, by queue, with their causes',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    answer: OpsJobs,
  },
  {
    method: 'post',
    path: '/api/ops/jobs/retry',
    summary: 'Retry a job that was given up, or all such jobs of a queue; recorded in the audit log',
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
    path: '/api/ops/jobs/discard',
    summary: 'Permanently discard a job that can never succeed; recorded in the audit log',
    access: 'admin',
    rate: 'report',
    gate: 'report',
    body: OpsDiscardBody,
    maxBytes: MAX_RETRY_BYTES,
    answer: Discarded,
    problems: [400, 415],
  },
  {
    method: 'post',
    path: '/api/ops/search',
    summary:
      'Find orders and payments by an id (also of the card provider), an order number, a ticket code or a buyer’s complete email address; recorded in the audit log',
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
    summary: 'Get the history of an order or payment from all services; the access is recorded in the audit log',
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
      'List alerts about money, newest first, such as failed or delayed refunds and transfers, money returned at the card provider, disputes and underpayments',
    access: 'admin',
    query: AlertQuery.shape,
    answer: AlertPage,
    problems: [400],
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'Get this document',
    access: 'public',
    cache: 'public',
    answer: z.looseObject({ openapi: z.string() }),
  },
  {
    method: 'post',
    path: '/api/client-errors',
    summary: 'Report an unexpected error of a page; `path` is the page’s path without its query',
    access: 'public',
    rate: 'client-error',
    body: ClientErrorReport,
    maxBytes: MAX_REPORT_BYTES,
    status: 204,
  },
  {
    method: 'post',
    path: '/api/client-spans',
    summary:
      'Report how long a request of a recorded trace took in the browser (see `tracesRatio` of `GET /api/config`)',
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
    summary: 'Receive a webhook of the card provider, signed over the raw body (`Stripe-Signature`)',
    access: 'public',
    // The provider signs its requests, so the call is not rate limited.
    rate: 'none',
    gate: 'webhook',
    maxBytes: 1_048_576,
    body: z.looseObject({ id: z.string(), type: z.string() }),
    answer: z.object({ received: z.literal(true) }),
    problems: [400],
  },
]);

/** Sockets and the card form also use POST. Every request counts as a read, because their services limit the writes. */
export const mounts: Mount[] = [
  { prefix: '/socket.io', service: 'realtime', rate: 'read' },
  { prefix: '/sandbox/stripe', service: 'sandbox', rate: 'read', only: 'sandbox' },
  { prefix: '/dev/payments', service: 'sandbox', only: 'embedded' },
  // Each service has samples of its mails. Ticketing has the mailbox for the mails of all services.
  ...MAIL_SERVICES.map((service): Mount => ({ prefix: `/dev/mail/kinds/${service}`, service, only: 'embedded' })),
  { prefix: '/dev/mail', service: 'ticketing', only: 'embedded' },
];
