import { z } from 'zod';
import { PublicConfig } from '@beltway/contracts/config';
import { AlertPage, AlertQuery } from '@beltway/contracts/payments';
import { InvariantReport } from '@beltway/contracts/ops';
import type { Call } from './call.ts';

export const system: Call[] = [
  {
    method: 'get',
    path: '/api/config',
    summary: 'What the page may know of how this Beltway runs',
    access: 'public',
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
    answer: z.looseObject({ openapi: z.string() }),
  },
  {
    method: 'post',
    path: '/api/stripe/webhook',
    summary: 'What the card provider tells, signed over the raw body (`Stripe-Signature`)',
    access: 'public',
    body: z.looseObject({ id: z.string(), type: z.string() }),
    answer: z.object({ received: z.literal(true) }),
    problems: [400],
  },
];
