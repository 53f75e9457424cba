import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { gate, type Gate } from '@beltway/kit/overload';
import { HttpProblem, asProblem, problemHeaders, problemText } from '@beltway/kit/problems';
import { limitHeaders, tooManyRequests } from '@beltway/kit/rate-limit';
import { noteRoute, requestIdOf } from '../inbound/access.ts';
import { clientAddress } from '../inbound/headers.ts';
import type { Limits } from '../inbound/limits.ts';
import type { OnAnswer } from '../proxy/forward.ts';
import { PROXY_TIMEOUTS, type ProxyTimeouts } from '../proxy/connections.ts';
import { MAX_WAIT_MS, type Gates } from '../proxy/gates.ts';
import { present, type Backends } from '../proxy/backends.ts';
import type { RouteTable } from '../routes/table.ts';
import { askService, tagsOf, type Answer } from './ask-service.ts';
import { openEntries } from './entries.ts';
import { openLookup, type Found, type Outcome } from './lookup.ts';
import { countAnswer, countFetch, showEntries } from './metrics.ts';
import { codingFor, preconditions } from './negotiation.ts';
import { purgeOf } from './purge.ts';
import type { Representation, Representations } from './representations.ts';
import { findTarget, type Target } from './target.ts';

export interface ResponseCacheOptions {
  table: RouteTable;
  backends: Backends;
  gates: Gates;
  log: Logger;
  trustedHops: number;
  /** What every answer of the API carries. */
  headers: Record<string, string>;
  /** What an answer carries in place of these that other sites may show in a frame. */
  framedHeaders: Record<string, string>;
  /** Counts one more read from an address; undefined: not limited. */
  read?: Limits['read'] | undefined;
  timeouts?: ProxyTimeouts | undefined;
  isBehind?: (() => boolean) | undefined;
  /** In milliseconds; it need not be the time of day. */
  clock?: () => number;
}

/** Answers GETs that are everybody's from memory (docs/architecture.md#the-response-cache). */
export interface ResponseCache {
  /** Answers from memory. Returns false if nothing fresh is there. */
  answerFresh(req: IncomingMessage, res: ServerResponse): boolean;
  /**
   * Answers a shared read when the service has, which is asked once for all readers who wait. Returns false for any other request.
   * Calls `pass` when the answer turns out to be for one reader only.
   */
  answerShared(req: IncomingMessage, res: ServerResponse, pass: () => void): boolean;
  /**
   * What everybody is answered at an address, for the gateway's own use: from memory as for a reader, and asked for by
   * the same one call. `null`: the service says that there is none; undefined: no answer within `limitMs`, or none that
   * is everybody's. Never rejects.
   */
  read(url: string, limitMs: number): Promise<Representations | null | undefined>;
  /** Drops what a message on the bus makes out of date. */
  hear(message: unknown): void;
  /**
   * Takes the tags from an answer that the proxy hands on. What a write changed is dropped before its sender can ask
   * for it; other gateways hear of it on the bus.
   */
  noteAnswer: OnAnswer;
  close(): void;
}

/** Who waits for services at once, for all addresses; one more is 503. */
const MAX_WAITING = 5_000;
/**
 * Different addresses that one service is asked for at once, and as many with a query, so that searches that somebody
 * makes up keep nobody from an event; each answer may be 2 MB.
 */
const MAX_FETCHES = 100;
/** Longest that a service is waited for where there is no old body to show. */
const MAX_FETCH_MS = 10_000;

const isPlainRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;

export function responseCache(options: ResponseCacheOptions): ResponseCache {
  const { table, backends, gates, log, trustedHops, read, isBehind, clock = () => performance.now() } = options;
  const { idleMs } = options.timeouts ?? PROXY_TIMEOUTS;
  const limitMs = Math.min(idleMs, MAX_FETCH_MS);
  const common = Object.entries(options.headers).flat();
  const framed = Object.entries(options.framedHeaders).flat();
  const targetOf = findTarget(table);
  const entries = openEntries(clock);
  const hideEntries = showEntries(entries);
  const fetchGate = () => gate(MAX_FETCHES, { maxWaitMs: MAX_WAIT_MS, isBehind });
  const services = new Map<string, { instances: Instances; plain: Gate; withQuery: Gate }>(
    present(backends).map(([name, instances]) => [name, { instances, plain: fetchGate(), withQuery: fetchGate() }]),
  );
  const waiting = gate(MAX_WAITING);
  const stop = new AbortController();
  const lookup = openLookup({ entries, ask, clock });

  /** Logs why a service did not answer; within its gate, so that one that hangs costs a bounded number of calls. */
  async function ask({ service, url, route, hasQuery, gate: own }: Target): Promise<Answer> {
    const { instances, plain, withQuery } = services.get(service)!;
    try {
      const leave = (own ? gates[own] : hasQuery ? withQuery : plain).enter();
      countFetch();
      const answer = await askService(instances, url, limitMs, stop.signal).finally(leave);
      if (answer.kind === 'down' && answer.error && !stop.signal.aborted)
        log.warn({ err: answer.error, service, route }, 'no answer');
      return answer;
    } catch (error) {
      return { kind: 'down', problem: asProblem(error) };
    }
  }

  const sendProblem = (
    req: IncomingMessage,
    res: ServerResponse,
    problem: HttpProblem,
    lines: string[],
    id: string,
  ) => {
    const body = Buffer.from(problemText(problem, id));
    lines.push(...problemHeaders(problem.retryAfter).flat(), 'content-length', String(body.length));
    res.writeHead(problem.status, lines).end(req.method === 'HEAD' ? undefined : body);
  };

  /** `lines` are the headers so far. */
  function write(
    req: IncomingMessage,
    res: ServerResponse,
    { entry, by }: Found,
    lines: string[],
    id: string,
  ): void | Promise<void> {
    const { answer } = entry;
    const coding = codingFor(req.headers, answer);
    const met = preconditions(req.headers, answer, coding);
    if (met === 412) return sendProblem(req, res, new HttpProblem(412, 'precondition-failed'), lines, id);
    // Whole seconds, rounded up: a browser that may keep it for one asks again each time, and is answered 304.
    lines.push('age', by === 'stale' ? String(Math.ceil((clock() - entry.askedAt) / 1_000)) : '1');
    const end = (representation: Representation, unchanged: boolean) => {
      if (unchanged) return void res.writeHead(304, lines.concat(representation.unchanged)).end();
      res.writeHead(200, lines.concat(representation.headers));
      if (req.method === 'HEAD') res.end();
      else res.end(representation.body);
    };
    const wanted = met?.unchanged ?? coding;
    const made = answer.made(wanted);
    if (made) return end(made, met !== undefined);
    return answer.make(wanted).then((representation) => {
      entries.measure(entry);
      if (!res.destroyed) end(representation, met !== undefined);
    });
  }

  /** Counts the request, then answers. `outcome` may be waited for; `pass` then is called for what is not shared. */
  async function answerWith(
    req: IncomingMessage,
    res: ServerResponse,
    { isFramed, rate, route }: Target,
    find: () => Outcome | Promise<Outcome>,
    pass?: () => void,
  ) {
    const id = requestIdOf(res);
    noteRoute(res, route);
    const lines = [...(isFramed ? framed : common), 'x-request-id', id];
    try {
      if (read) {
        const { limit, take } = read(rate);
        const taken = await take(req, clientAddress(req, trustedHops));
        lines.push(...limitHeaders(limit, taken).flat());
        if (!taken.allowed) throw tooManyRequests(taken);
      }
      const found = await find();
      if (res.destroyed) return;
      if (found === 'unshared') return pass!();
      if (found instanceof HttpProblem) throw found;
      await write(req, res, found, lines, id);
    } catch (error) {
      if (res.headersSent || res.destroyed) return void res.destroy();
      if (!(error instanceof HttpProblem)) log.error({ err: error, requestId: id }, 'request failed');
      sendProblem(req, res, asProblem(error), lines, id);
    }
  }

  return {
    answerFresh(req, res) {
      if (!isPlainRead(req)) return false;
      const entry = entries.get(req.url!);
      if (!entry || clock() >= entry.freshUntil) return false;
      countAnswer('hit');
      void answerWith(req, res, entry.target, () => ({ entry, by: 'hit' }));
      return true;
    },
    answerShared(req, res, pass) {
      const target = isPlainRead(req) ? targetOf(req.url!) : undefined;
      if (!target || lookup.isUnshared(target)) return false;
      const find = async (): Promise<Outcome> => {
        const leave = waiting.enter();
        try {
          const found = await lookup.find(target);
          countAnswer(found === 'unshared' ? found : found instanceof HttpProblem ? 'problem' : found.by);
          return found;
        } finally {
          leave();
        }
      };
      void answerWith(req, res, target, find, pass);
      return true;
    },
    async read(url, limitMs) {
      const target = targetOf(url);
      if (!target || lookup.isUnshared(target)) return undefined;
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), limitMs);
      });
      const found = await Promise.race([lookup.find(target).catch(() => undefined), tooLate]);
      clearTimeout(timer);
      if (found instanceof HttpProblem) return found.status === 404 ? null : undefined;
      return found === undefined || found === 'unshared' ? undefined : found.entry.answer;
    },
    hear(message) {
      const purge = purgeOf(message);
      if (purge) entries.purge(purge.tags, purge.isUntrue);
    },
    noteAnswer({ method }, status, headers) {
      const tags = headers['cache-tag'];
      if (tags === undefined) return;
      delete headers['cache-tag'];
      if (method !== 'GET' && method !== 'HEAD' && status < 400) entries.purge([...tagsOf(String(tags))], true);
    },
    close: () => {
      hideEntries();
      stop.abort();
    },
  };
}
