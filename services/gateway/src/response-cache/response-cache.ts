import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { gate, type Gate } from '@beltway/kit/overload';
import { HttpProblem, asProblem, problemHeaders, problemText } from '@beltway/kit/problems';
import { limitHeaders, tooManyRequests } from '@beltway/kit/rate-limit';
import { requestCell, type RequestCell } from '@beltway/kit/metrics';
import { newRequestId, noteRoute, requestIdOf, type Access } from '../inbound/access.ts';
import { clientAddress } from '../inbound/headers.ts';
import type { Limits } from '../inbound/limits.ts';
import type { UnreadAnswers } from '../inbound/unread.ts';
import type { OnAnswer } from '../proxy/forward.ts';
import { PROXY_TIMEOUTS, type ProxyTimeouts } from '../proxy/connections.ts';
import { MAX_WAIT_MS, type Gates } from '../proxy/gates.ts';
import { present, type Backends } from '../proxy/backends.ts';
import type { RouteTable } from '../routes/table.ts';
import { askService, tagsOf, type Answer } from './ask-service.ts';
import { openEntries, type Entry } from './entries.ts';
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
  /** Headers of every API answer. */
  headers: Record<string, string>;
  /** Headers of answers that other sites may show in a frame. */
  framedHeaders: Record<string, string>;
  /** Counts a read for an IP address. Undefined: reads are not limited. */
  read?: Limits['read'] | undefined;
  timeouts?: ProxyTimeouts | undefined;
  isBehind?: (() => boolean) | undefined;
  access: Access;
  unread: UnreadAnswers;
  /** Returns milliseconds, not necessarily the time of day. */
  clock?: () => number;
}

/** Answers public GETs from memory (docs/architecture.md#the-response-cache). */
export interface ResponseCache {
  /** Sends an answer from memory. Returns false if there is no fresh answer. */
  answerFresh(req: IncomingMessage, res: ServerResponse): boolean;
  /**
   * Sends a shared answer as soon as the service has responded. All waiting readers share one request to the service.
   * Returns false for any other request. Calls `pass` when the answer turns out to be for one reader only.
   */
  answerShared(req: IncomingMessage, res: ServerResponse, pass: () => void): boolean;
  /**
   * The shared answer for a URL, for the gateway's own use: from memory, or from the request that readers share.
   * `null`: the service responded that the URL does not exist. Undefined: there is no shared answer within `limitMs`.
   * Never rejects.
   */
  read(url: string, limitMs: number): Promise<Representations | null | undefined>;
  /** Drops the entries that a bus message invalidates. */
  hear(message: unknown): void;
  /**
   * Reads the tags of an answer that the proxy passes on. Entries that a write changed are dropped before the writing
   * client can read them. Other gateways are notified through the bus.
   */
  noteAnswer: OnAnswer;
  close(): void;
}

interface Prepared {
  /** Alternating header names and values. */
  lines: string[];
  cell: RequestCell;
}

/** Maximum readers waiting for services, over all URLs. Further readers get 503. */
const MAX_WAITING = 5_000;
/**
 * Maximum concurrent requests to one service, each for a different URL. URLs with a query have a second limit of the
 * same size, so that invented searches do not block events. Each answer may have 2 MB.
 */
const MAX_FETCHES = 100;
/** Maximum wait for a service if there is no old body to serve. */
const MAX_FETCH_MS = 10_000;

const isPlainRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;

export function responseCache(options: ResponseCacheOptions): ResponseCache {
  const { table, backends, gates, log, trustedHops, read, isBehind, clock = () => performance.now() } = options;
  const { access, unread } = options;
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

  /**
   * Asks a service within the service's gate, so a service that hangs costs a bounded number of calls. If the service
   * does not respond, logs the reason.
   */
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

  /** Writes an answer. `lines` contains the headers so far. */
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
    // The age in whole seconds, rounded up. So a browser that may cache the answer for one second revalidates each time
    // and gets a 304.
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

  /** Prepares the parts that are the same in all answers with one representation. */
  function prepare({ target: { isFramed, route } }: Entry, status: 200 | 304, { headers, unchanged }: Representation) {
    const own = status === 200 ? headers : unchanged;
    return {
      lines: [...(isFramed ? framed : common), 'age', '1', ...own],
      cell: requestCell({ method: 'GET', route, status }),
    };
  }
  const prepared = { 200: new WeakMap<Representation, Prepared>(), 304: new WeakMap<Representation, Prepared>() };

  /** Responds immediately. Returns false if the answer is a refusal, or must wait for Redis or compression. */
  function writeNow(req: IncomingMessage, res: ServerResponse, entry: Entry): boolean {
    const startedAt = performance.now();
    const { answer, target } = entry;
    const coding = codingFor(req.headers, answer);
    const met = preconditions(req.headers, answer, coding);
    if (met === 412) return false;
    const representation = answer.made(met?.unchanged ?? coding);
    if (!representation) return false;
    const limit = read?.(target.rate);
    if (limit && !limit.takeNow) return false;
    const taken = limit?.takeNow!(clientAddress(req, trustedHops));
    if (taken && !taken.allowed) return false;

    const status = met ? 304 : 200;
    let made = prepared[status].get(representation);
    if (!made) prepared[status].set(representation, (made = prepare(entry, status, representation)));
    const requestId = newRequestId();
    const lines = made.lines.concat('x-request-id', requestId);
    if (limit && taken) for (const [name, value] of limitHeaders(limit.limit, taken)) lines.push(name, value);
    const isHead = req.method === 'HEAD';
    const cell = isHead ? requestCell({ method: 'HEAD', route: target.route, status }) : made.cell;
    access.answerNow({
      ...{ requestId, cell, status, startedAt, socket: req.socket },
      write() {
        res.writeHead(status, lines);
        if (met || isHead) res.end();
        else res.end(representation.body);
        unread.noteEnded(req, res);
      },
    });
    return true;
  }

  /** Counts the request, then responds. Awaits `find` if needed. Calls `pass` for an unshared answer. */
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
      if (writeNow(req, res, entry)) return true;
      access.begin(req, res);
      unread.watch(req, res);
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
