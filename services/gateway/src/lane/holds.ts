import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { wasCutOff, wasNotReached } from '@beltway/kit/connection-faults';
import type { Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { observeRequest } from '@beltway/kit/metrics';
import { network } from '@beltway/kit/network';
import { HttpProblem, sendProblem, unavailable } from '@beltway/kit/problems';
import { announce, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import { clientAddress } from '../inbound/headers.ts';
import { codeOf, problemOf } from '../proxy/faults.ts';
import { openPools, type Passed } from './pools.ts';
import { PATIENCE, type Patience } from '../proxy/forward.ts';

export interface HoldLaneOptions {
  ticketing: Instances;
  log: Logger;
  trustedHops: number;
  protocol: string;
  /** What every answer of the gateway carries. */
  headers: Array<[name: string, value: string]>;
  /** Counts one more purchase of a sender; undefined: not limited. */
  buy?: { limit: Quota; take: (sender: string) => Promise<Taken> } | undefined;
  /** Holds that may wait for an answer at once. Default 2,000. */
  maxWaiting?: number;
  patience?: Patience | undefined;
}

export interface Lane {
  /** Answers the request, or says false when it is not one for this lane. */
  take(req: IncomingMessage, res: ServerResponse): boolean;
  close(): void;
}

const PATH = '/api/holds';
const MAX_BYTES = 4_096;
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

/**
 * The one hot command's short way (design section 6; docs/decisions/0013): a crowd's `POST /api/holds` goes from the socket to the
 * instance that owns the sale, past Express. Same limits, headers and answers as every other call. Beyond `maxWaiting` it is 503 at once.
 */
export function holdLane(options: HoldLaneOptions): Lane {
  const { ticketing, log, trustedHops, protocol, headers, buy, maxWaiting = 2_000 } = options;
  const pools = openPools(ticketing, options.patience ?? PATIENCE);
  let waiting = 0;

  /**
   * Every hold has a key, so it can be sent again, elsewhere, when a connection breaks: the first to arrive decides. A key of our
   * own making is told to nobody.
   */
  async function pass(req: IncomingMessage, body: Buffer, requestId: string): Promise<Passed> {
    const sent: Record<string, string> = {
      'content-type': req.headers['content-type']!,
      'content-length': String(body.length),
      'idempotency-key': String(req.headers['idempotency-key'] ?? randomUUID()),
      'x-forwarded-for': clientAddress(req, trustedHops),
      'x-forwarded-proto': protocol,
      'x-request-id': requestId,
    };
    if (req.headers.authorization !== undefined) sent['authorization'] = req.headers.authorization;
    const sale = eventIn(body);
    for (let tries = 0; ; tries++) {
      const url = (sale === undefined ? ticketing.pick() : ticketing.ownerOf(sale)) ?? ticketing.all[0]!;
      try {
        return await pools.post(url, PATH, sent, body);
      } catch (error) {
        const code = codeOf(error as Error);
        if (wasNotReached(code)) ticketing.failed(url);
        const pause = RETRY_PAUSES_MS[tries];
        if (pause === undefined || !(wasNotReached(code) || wasCutOff(code))) throw error;
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async function answer(req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
    const started = performance.now();
    const requestId = randomUUID();
    for (const [name, value] of headers) res.setHeader(name, value);
    res.setHeader('x-request-id', requestId);
    try {
      if (buy) {
        const taken = await buy.take(network(clientAddress(req, trustedHops)));
        announce(res, buy.limit, taken);
        if (!taken.allowed) throw tooManyRequests(taken);
      }
      if (waiting >= maxWaiting) throw unavailable('Too many people at once. Please try again in a moment.', 1);
      waiting++;
      const passed = await pass(req, body, requestId).finally(() => waiting--);
      for (const name of ['content-type', 'cache-control', 'retry-after']) {
        const value = passed.headers[name];
        if (value !== undefined) res.setHeader(name, value);
      }
      res.setHeader('content-length', passed.body.length);
      res.statusCode = passed.status;
      // As text it goes out in one write with the head, as bytes in a second one.
      res.end(passed.body.toString('utf8'));
    } catch (error) {
      const isOurs = error instanceof HttpProblem;
      if (!isOurs) log.warn({ err: error, service: 'ticketing', path: PATH, requestId }, 'no answer');
      sendProblem(res, isOurs ? error : problemOf(error as Error), requestId);
    }
    observeRequest('POST', res.statusCode, (performance.now() - started) / 1_000);
  }

  return {
    take: (req, res) => {
      if (!isPlainHold(req)) return false;
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.once('end', () => void answer(req, res, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
      return true;
    },
    close: () => pools.close(),
  };
}

/** Only to choose the instance; whether it is a good body is ticketing's to say. */
function eventIn(body: Buffer): number | undefined {
  try {
    const { eventId } = JSON.parse(body.toString('utf8')) as { eventId?: unknown };
    return typeof eventId === 'number' ? eventId : undefined;
  } catch {
    return undefined;
  }
}
