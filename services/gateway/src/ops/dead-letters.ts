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
/** A decision whose effect is not on the bus after so long was cut off: it is carried out by the next who asks. */
const CUT_OFF_MS = 30_000;

/** When it was parked, and the letter's id. */
const Cursor = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]{5,16}Z$/), z.uuid()]);

interface Options {
  bus: Bus;
  backends: Backends;
  auth: Pick<Authenticator, 'role'>;
  audit: Audit;
  clock?: () => number;
}

/** Dead letters of all services, for admins: listed, looked at, replayed to their group, discarded (docs/operations/ops-page.md). */
export function deadLetterRoutes({ bus, backends, auth, audit, clock = Date.now }: Options): Router {
  const admin = auth.role('admin');
  const index = letterIndex(bus);
  const services = new Map<string, ReturnType<typeof present>[number][1]>(present(backends));

  async function itemOf(id: string): Promise<DeadLetterItem> {
    const find = async () => (await index.read()).items.find((one) => one.id === id);
    const known = await find();
    if (known) return known;
    // Parked a moment ago.
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

  /** A message for a group that nobody reads for would wait for ever, and look as if it was dealt with. */
  async function assertGroupRuns(group: string): Promise<void> {
    const instances = services.get(group.split('.', 1)[0]!);
    const found = instances ? await statusesOf(instances) : [];
    if (found.some(({ status }) => status?.groups.some((one) => one.group === group))) return;
    if (found.some(({ status }) => status === null))
      throw new HttpProblem(503, 'unavailable.group-unsure', { params: { group }, retryAfter: 10 });
    throw new HttpProblem(409, 'group-gone', { params: { group } });
  }

  const refusal = (state: 'replayed' | 'discarded') => new HttpProblem<PlainText>(409, `already-${state}`);

  /** Carries out what is under way in this process once, however many ask for it. */
  const underWay = new Map<string, Promise<DeadLetterItem>>();

  async function settle(of: { req: Request; res: Response }, id: string, as: 'replayed' | 'discarded') {
    const letter = await itemOf(id);
    if (letter.state === as) return letter;
    if (letter.state !== 'waiting') throw refusal(letter.state);
    if (as === 'replayed' && !letter.replayable) throw new HttpProblem(409, 'no-message');
    if (as === 'replayed') await assertGroupRuns(letter.group);
    // Here it is decided, for all gateways; what follows may be cut off and done again.
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

  /** 200 DeadLetterText: all of the letter, with what is personal in it. The look is recorded first. */
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
   * 200 DeadLetterItem, also when it was replayed before: then nothing is sent. 409 `already-discarded`, `group-gone`, `no-message` or
   * `under-way`; 503 while the service of the group or identity is away.
   */
  router.post('/api/ops/dead-letters/:letterId/replay', admin, async (req, res) => {
    res.set('cache-control', 'no-store').json(await settleOnce({ req, res }, 'replayed'));
  });

  /** 200 DeadLetterItem, also when it was discarded before. 409 `already-replayed` or `under-way`. */
  router.post('/api/ops/dead-letters/:letterId/discard', admin, async (req, res) => {
    res.set('cache-control', 'no-store').json(await settleOnce({ req, res }, 'discarded'));
  });

  return router;
}
