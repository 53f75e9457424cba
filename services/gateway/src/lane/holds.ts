import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HoldAnswer, HoldRequest } from '@beltway/contracts/ticketing';
import type { ArrivingBodies } from '@beltway/kit/arriving-bodies';
import { wasCutOff, wasNotReached } from '@beltway/kit/connection-faults';
import { checkedKey } from '@beltway/kit/idempotency-key';
import type { Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { observeRequest } from '@beltway/kit/metrics';
import { gate } from '@beltway/kit/overload';
import { HttpProblem, problemHeaders, problemText, unauthenticated } from '@beltway/kit/problems';
import { limitHeaders, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import { clientAddress } from '../inbound/headers.ts';
import { codeOf, problemOf } from '../proxy/faults.ts';
import { PATIENCE, type Patience } from '../proxy/timeouts.ts';
import { openBatches } from './batches.ts';

export interface HoldLaneOptions {
  ticketing: Instances;
  /** Shared with ticketing: such requests are for services alone. */
  internalToken: string;
  log: Logger;
  trustedHops: number;
  /** What every answer of the gateway carries. */
  headers: Array<[name: string, value: string]>;
  /** Reads the bodies. */
  bodies: ArrivingBodies;
  /** Counts one more purchase from an address; undefined: not limited. */
  buy?: { limit: Quota; take: (address: string) => Promise<Taken> } | undefined;
  /** Holds that may wait for an answer at once. Default 2,000. */
  maxWaiting?: number;
  patience?: Patience | undefined;
  isBehind?: (() => boolean) | undefined;
}

export interface Lane {
  /** Answers the request, or says false when it is not one for this lane. */
  take(req: IncomingMessage, res: ServerResponse): boolean;
  close(): void;
}

const PATH = '/api/holds';
const MAX_BYTES = 4_096;
/** Identity's tokens have about 700 characters. */
const AUTHORIZATION = /^[\x20-\x7e]{1,4096}$/;
/** As for every service (`proxy/proxy.ts`). */
const MAX_WAIT_MS = 2_000;
/** After what passes within a second: an instance that dies hands its sales to another in less. */
const RETRY_PAUSES_MS = [0, 100, 300, 600];

function isPlainHold({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === PATH &&
    Number(headers['content-length']) <= MAX_BYTES &&
    /^application\/json\b/i.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}

/** Refuses a header that no client of ours sends, before it takes room in a batch that others are in. */
function assertBounded({ authorization, 'idempotency-key': key }: IncomingMessage['headers']): void {
  if (authorization !== undefined && !AUTHORIZATION.test(authorization)) throw unauthenticated();
  checkedKey(key === undefined ? undefined : String(key));
}

/**
 * The one hot command's short way (docs/architecture.md#the-hold-lane): a crowd's `POST /api/holds` goes from the socket to the
 * instance that owns the sale, past Express and many in one request. Same limits, headers and answers as every other call. Beyond
 * `maxWaiting`, or when most have waited for two seconds, it is 503 at once.
 */
export function holdLane(options: HoldLaneOptions): Lane {
  const { ticketing, internalToken, log, trustedHops, headers, bodies, buy, maxWaiting = 2_000 } = options;
  const batches = openBatches(ticketing, internalToken, options.patience ?? PATIENCE);
  const fixed = headers.flat();
  const door = gate(maxWaiting, { maxWaitMs: MAX_WAIT_MS, isBehind: options.isBehind });

  /**
   * Every hold has a key, so it can be sent again, elsewhere, when a connection breaks: the first to arrive decides. A key of our
   * own making is told to nobody.
   */
  async function pass(req: IncomingMessage, address: string, body: string, requestId: string): Promise<HoldAnswer> {
    const { authorization, 'idempotency-key': key } = req.headers;
    const hold: HoldRequest =
      key === undefined
        ? { key: randomUUID(), gatewayKey: true, address, requestId, body }
        : { key: String(key), address, requestId, body };
    if (authorization !== undefined) hold.authorization = authorization;
    const { sale, replaces } = aimOf(body);
    for (let tries = 0; ; tries++) {
      const url = (sale === undefined ? ticketing.pick() : ticketing.forKey(sale)) ?? ticketing.all[0]!;
      try {
        return await batches.ask(url, hold, replaces);
      } catch (error) {
        const code = codeOf(error as Error);
        if (wasNotReached(code)) ticketing.failed(url);
        const pause = RETRY_PAUSES_MS[tries];
        if (pause === undefined || !(wasNotReached(code) || wasCutOff(code))) throw error;
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async function answer(req: IncomingMessage, res: ServerResponse, body: string): Promise<void> {
    const started = performance.now();
    const requestId = randomUUID();
    const lines = [...fixed, 'x-request-id', requestId];
    const address = clientAddress(req, trustedHops);
    let answered: HoldAnswer;
    try {
      if (buy) {
        const taken = await buy.take(address);
        lines.push(...limitHeaders(buy.limit, taken).flat());
        if (!taken.allowed) throw tooManyRequests(taken);
      }
      assertBounded(req.headers);
      const leave = door.enter();
      try {
        answered = await pass(req, address, body, requestId);
      } finally {
        leave();
      }
    } catch (error) {
      const isOurs = error instanceof HttpProblem;
      if (!isOurs) log.warn({ err: error, service: 'ticketing', path: PATH, requestId }, 'no answer');
      const problem = isOurs ? error : problemOf(error as Error);
      answered = { status: problem.status, body: problemText(problem, requestId) };
      if (problem.retryAfter !== undefined) answered.retryAfter = problem.retryAfter;
    }
    if (answered.status < 400) lines.push('content-type', 'application/json; charset=utf-8');
    else lines.push(...problemHeaders(answered.retryAfter).flat());
    const bytes = Buffer.byteLength(answered.body);
    lines.push('content-length', String(bytes));
    // As text it goes out in one write with the head, as bytes in a second one. What is ASCII needs no encoding.
    res.writeHead(answered.status, lines).end(answered.body, bytes === answered.body.length ? 'latin1' : 'utf8');
    observeRequest('POST', answered.status, (performance.now() - started) / 1_000);
  }

  return {
    take: (req, res) => {
      if (!isPlainHold(req)) return false;
      bodies.read(req, res, (body) => void answer(req, res, body.toString('utf8')));
      return true;
    },
    close: () => batches.close(),
  };
}

/** Only to choose the instance and the company; whether it is a good body is ticketing's to say. */
function aimOf(body: string): { sale?: number; replaces: boolean } {
  try {
    const { eventId, replaces } = JSON.parse(body) as { eventId?: unknown; replaces?: unknown };
    // A hold that replaces another one asks the card provider first.
    return { ...(typeof eventId === 'number' && { sale: eventId }), replaces: replaces !== undefined };
  } catch {
    return { replaces: false };
  }
}
