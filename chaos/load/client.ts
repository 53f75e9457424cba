import { setTimeout as pause } from 'node:timers/promises';
import type { Answered, Asked, ClientLedger } from './client-ledger.ts';

export interface Reply {
  outcome: 'acknowledged' | 'refused' | 'unknown';
  status: number;
  body: Record<string, unknown>;
}

export interface Request {
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  asked: Omit<Asked, 'to'>;
  /** Which instance; not given: the public door. */
  instance?: string | undefined;
  /** Reads the answer; what it gives goes into the ledger. */
  read?: (reply: Reply) => Partial<Answered>;
}

const ANSWER_MS = 8_000;
const PAUSES = [100, 200, 400, 800, 1_500];

const codeOf = (body: Record<string, unknown>): string | undefined => {
  const error = body['error'] as { code?: string; decline_code?: string } | undefined;
  return typeof body['code'] === 'string' ? body['code'] : (error?.decline_code ?? error?.code);
};

/** 5xx and 429 promise nothing: the same request may be sent again. So may one that is under way at the provider (409 of its keys). */
export const outcomeOf = (status: number, code: string | undefined): Reply['outcome'] => {
  if (status < 300) return 'acknowledged';
  return status >= 500 || status === 429 || status === 408 || code === 'idempotency_key_in_use' ? 'unknown' : 'refused';
};

export type Client = ReturnType<typeof openClient>;

/** Sends requests as clients do and writes each down, before and after. */
export function openClient(url: string, ledger: ClientLedger, stopped: AbortSignal) {
  async function once({ method = 'POST', path, body, headers, asked, instance, read }: Request): Promise<Reply> {
    const answered = ledger.ask({ ...asked, to: instance ?? 'gateway' });
    let reply: Reply = { outcome: 'unknown', status: 0, body: {} };
    let requestId: string | undefined;
    try {
      const isForm = body instanceof URLSearchParams;
      const response = await fetch(new URL(path, instance ?? url), {
        method,
        headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      requestId = response.headers.get('x-request-id') ?? undefined;
      const parsed = /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as Reply['body']) : {};
      reply = { outcome: outcomeOf(response.status, codeOf(parsed)), status: response.status, body: parsed };
    } catch {
      // No answer, or half of one: outcome unknown.
    }
    const code = codeOf(reply.body);
    answered({
      outcome: reply.outcome,
      status: reply.status,
      ...(code !== undefined && reply.outcome !== 'acknowledged' && { code }),
      ...(requestId && { requestId }),
      ...read?.(reply),
    });
    return reply;
  }

  /** Sends it again, under the same key, until there is an answer, for at most `forMs` or until the run is over. */
  async function insist(request: Request, forMs = 20_000): Promise<Reply> {
    const until = Date.now() + forMs;
    for (let attempt = 0; ; attempt++) {
      const reply = await once(request);
      if (reply.outcome !== 'unknown' || Date.now() > until || stopped.aborted) return reply;
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }
  return { once, insist };
}
