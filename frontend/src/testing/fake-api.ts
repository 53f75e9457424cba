import { vi } from 'vitest';

export interface FakeCall {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}
type Answer = unknown | ((call: FakeCall) => unknown);

/** A response with a status or headers. */
export const answer = (status: number, body: unknown = '', headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

/** A problem+json response. */
export const problem = (
  status: number,
  code: string,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => answer(status, { type: 'about:blank', title: code, status, code, ...extra }, headers);

/**
 * Fakes the network at fetch: `fakeApi({'GET /api/events': [...], 'POST /api/holds': (call) => answer(409)})`.
 * A key without a query matches any query. Returns the calls made, in order; an unexpected call gets 404.
 */
export function fakeApi(answers: Record<string, Answer>): FakeCall[] {
  const calls: FakeCall[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted();
    const method = init.method ?? 'GET';
    const { body } = init;
    const headers = new Headers(init.headers);
    const isOther = headers.get('content-type')?.includes('json') === false;
    const call = {
      ...{ method, path: input, headers },
      body: typeof body === 'string' && !isOther ? (JSON.parse(body) as unknown) : body,
    };
    calls.push(call);
    const exact = `${method} ${input}`;
    const found = exact in answers ? answers[exact] : answers[exact.split('?')[0] ?? ''];
    if (found === undefined) return problem(404, 'not-found');
    const said: unknown = typeof found === 'function' ? await (found as (call: FakeCall) => unknown)(call) : found;
    return said instanceof Response ? said : answer(200, said);
  });
  return calls;
}
