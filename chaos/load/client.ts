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
  /** The URL of an instance; undefined: the gateway. */
  instance?: string | undefined;
  /** Extracts what the ledger records from the response. */
  read?: (reply: Reply) => Partial<Answered>;
}

const ANSWER_MS = 8_000;
const PAUSES = [100, 200, 400, 800, 1_500];

const codeOf = (body: Record<string, unknown>): string | undefined => {
  const error = body['error'] as { code?: string; decline_code?: string } | undefined;
  return typeof body['code'] === 'string' ? body['code'] : (error?.decline_code ?? error?.code);
};

/**
 * After 408, 429 and 5xx, and while the provider still processes an earlier request with the same key (409), the
 * outcome is unknown and the client may repeat the request.
 */
export const outcomeOf = (status: number, code: string | undefined): Reply['outcome'] => {
  if (status < 300) return 'acknowledged';
  return status >= 500 || status === 429 || status === 408 || code === 'idempotency_key_in_use' ? 'unknown' : 'refused';
};

export type Client = ReturnType<typeof openClient>;

/** Sends requests, and records each request and its response in the ledger. */
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
      // The response is missing or truncated, so the outcome is unknown.
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

  /** Repeats a request with the same key until its outcome is known, for at most `forMs` or until the run is over. */
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
