import type { PlainText } from '@beltway/contracts/problems/texts';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import {
  DeadLetterQuery,
  type DeadLetterItem,
  type DeadLetterPage,
  type DeadLetterText,
} from '@beltway/contracts/ops/dead-letters';
import type { Authenticator } from '@beltway/kit/auth';
import type { Bus } from '@beltway/kit/bus';
import { cursorOf, readCursor } from '@beltway/kit/cursor';
import { deadLetter, discardDeadLetter, replayDeadLetter } from '@beltway/kit/bus/dead-letters';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import { present, type Backends } from '../proxy/backends.ts';
import type { Audit } from './audit.ts';
import { letterIndex } from './letter-index.ts';
import { statusesOf } from './services.ts';

const MAX_TEXT = 20_000;
/** A decision without an effect on the bus after this time was interrupted. The next request completes it. */
const CUT_OFF_MS = 30_000;

/** The time when the letter was parked, and the letter's id. */
const Cursor = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]{5,16}Z$/), z.uuid()]);

interface Options {
  bus: Bus;
  backends: Backends;
  auth: Pick<Authenticator, 'role'>;
  audit: Audit;
  clock?: () => number;
}

/** Routes of dead letters for admins: list, view, replay to the group, and discard (docs/operations/ops-page.md). */
export function deadLetterRoutes({ bus, backends, auth, audit, clock = Date.now }: Options): Router {
  const admin = auth.role('admin');
  const index = letterIndex(bus);
  const services = new Map<string, ReturnType<typeof present>[number][1]>(present(backends));

  async function itemOf(id: string): Promise<DeadLetterItem> {
    const find = async () => (await index.read()).items.find((one) => one.id === id);
    const known = await find();
    if (known) return known;
    // The letter may have been parked after the index was last read.
    index.forget();
    const item = await find();
    if (!item) throw notFound('dead-letter');
    return item;
  }

  const idOf = (req: Request): string => {
    const id = z.uuid().safeParse(req.params['letterId']);
    if (!id.success) throw notFound('dead-letter');
    return id.data.toLowerCase();
  };

  /** Throws if the group has no consumers. A message for such a group would wait indefinitely, but look handled. */
  async function assertGroupRuns(group: string): Promise<void> {
    const instances = services.get(group.split('.', 1)[0]!);
    const found = instances ? await statusesOf(instances) : [];
    if (found.some(({ status }) => status?.groups.some((one) => one.group === group))) return;
    if (found.some(({ status }) => status === null))
      throw new HttpProblem(503, 'unavailable.group-unsure', { params: { group }, retryAfter: 10 });
    throw new HttpProblem(409, 'group-gone', { params: { group } });
  }

  const refusal = (state: 'replayed' | 'discarded') => new HttpProblem<PlainText>(409, `already-${state}`);

  /** Decisions in progress in this process: concurrent requests share one. */
  const underWay = new Map<string, Promise<DeadLetterItem>>();

  async function settle(of: { req: Request; res: Response }, id: string, as: 'replayed' | 'discarded') {
    const letter = await itemOf(id);
    if (letter.state === as) return letter;
    if (letter.state !== 'waiting') throw refusal(letter.state);
    if (as === 'replayed' && !letter.replayable) throw new HttpProblem(409, 'no-message');
    if (as === 'replayed') await assertGroupRuns(letter.group);
    // The audit entry decides which decision counts, among all gateways. The steps after it may be interrupted and
    // repeated.
    const { at, first } = await audit(of, `dead-letter-${as}`, id, `${letter.group}: ${letter.type}`);
    const waits = Date.parse(at) + CUT_OFF_MS - clock();
    if (!first && waits > 0)
      throw new HttpProblem<PlainText>(409, `under-way.${as}`, {
        retryAfter: Math.ceil(waits / 1_000),
      });
    const marked =
      as === 'replayed'
        ? await replayDeadLetter(bus, id, letter.group)
        : await discardDeadLetter(bus, id, letter.group);
    index.forget();
    return { ...letter, state: as, settledAt: marked[`${as}At`] ?? at };
  }

  const settleOnce = (of: { req: Request; res: Response }, as: 'replayed' | 'discarded'): Promise<DeadLetterItem> => {
    const id = idOf(of.req);
    const key = `${as} ${id}`;
    const running = underWay.get(key) ?? settle(of, id, as).finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };

  const router = Router();

  /** 200 DeadLetterPage, newest first. 400 `bad-cursor`. */
  router.get('/api/ops/dead-letters', admin, async (req, res) => {
    const { state, group, cursor, limit } = DeadLetterQuery.parse(req.query);
    const after = cursor === undefined ? undefined : readCursor(cursor, Cursor);
    const { items, cut } = await index.read();
    const isAfter = ({ at, id }: DeadLetterItem) => !after || at < after[0] || (at === after[0] && id < after[1]);
    const wanted = items.filter(
      (item) =>
        (state === 'all' || item.state === 'waiting') && (group === undefined || item.group === group) && isAfter(item),
    );
    const page = wanted.slice(0, limit);
    const last = page.at(-1);
    const waiting = Map.groupBy(items, (item) => item.group);
    res.set('cache-control', 'no-store').json({
      items: page,
      groups: [...waiting]
        .map(([name, letters]) => ({
          group: name,
          waiting: letters.filter((letter) => letter.state === 'waiting').length,
          hasMore: cut.has(name),
        }))
        .sort((a, b) => a.group.localeCompare(b.group)),
      nextCursor: wanted.length > limit && last ? cursorOf([last.at, last.id]) : null,
    } satisfies DeadLetterPage);
  });

  /**
   * 200 DeadLetterText: the complete letter, including personal data. The audit entry about the view is written first.
   */
  router.post('/api/ops/dead-letters/:letterId/look', admin, async (req, res) => {
    const item = await itemOf(idOf(req));
    await audit({ req, res }, 'dead-letter-looked-at', item.id, `${item.group}: ${item.type}`);
    const letter = await deadLetter(bus, item.id, item.group);
    if (!letter) throw notFound('dead-letter');
    const message = JSON.stringify(letter.original, null, 2) ?? 'null';
    res.set('cache-control', 'no-store').json({
      cause: `${letter.error.name}: ${letter.error.message}`,
      stack: letter.error.stack,
      message: message.slice(0, MAX_TEXT),
      isCut: message.length > MAX_TEXT,
    } satisfies DeadLetterText);
  });

  /**
   * 200 DeadLetterItem. If the letter was already replayed, nothing is sent. 409 `already-discarded`, `group-gone`,
   * `no-message` or `under-way`. 503 while identity or the service of the group is down.
   */
  router.post('/api/ops/dead-letters/:letterId/replay', admin, async (req, res) => {
    res.set('cache-control', 'no-store').json(await settleOnce({ req, res }, 'replayed'));
  });

  /** 200 DeadLetterItem, even if the letter was already discarded. 409 `already-replayed` or `under-way`. */
  router.post('/api/ops/dead-letters/:letterId/discard', admin, async (req, res) => {
    res.set('cache-control', 'no-store').json(await settleOnce({ req, res }, 'discarded'));
  });

  return router;
}
