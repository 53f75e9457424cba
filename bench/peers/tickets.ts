import { GENERAL, totalCents } from '@beltway/contracts/ticketing/order-lines';
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import express, { type NextFunction, type Request, type Response } from 'express';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { Prisma, PrismaClient } from '../../services/ticketing/src/generated/prisma/client.ts';

/**
 * The peer's ticket service: a typical service of today, with Express, Prisma and an interactive transaction. It has no
 * event log, groups no commits and keeps no state in memory. It checks what our service checks: the token's signature,
 * the body, an idempotency key. Its own database has the tables `availability` and `orders`. It writes the order before
 * the counter, so that the contended row is locked for the shortest time.
 */
const { DATABASE_URL, PORT, JWKS } = z
  .object({ DATABASE_URL: z.string(), PORT: z.coerce.number(), JWKS: z.string() })
  .parse(process.env);

const keys = createLocalJWKSet(JSON.parse(JWKS) as JSONWebKeySet);
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: DATABASE_URL, max: 20 }) });
const Body = z.strictObject({ eventId: z.int().positive(), quantity: z.int().min(1).max(10) });
const HOLD_MS = 600_000;

class SoldOut extends Error {}

const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

async function buyerOf(req: Request): Promise<number> {
  const token = /^Bearer (.+)$/.exec(req.get('authorization') ?? '')?.[1] ?? '';
  const { payload } = await jwtVerify(token, keys, { algorithms: ['ES256'], issuer: 'beltway', audience: 'beltway' });
  return Number(payload.sub);
}

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '10kb' }));

app.post('/api/holds', async (req, res) => {
  const buyerId = await buyerOf(req);
  const { eventId, quantity } = Body.parse(req.body);
  const orderId = uuidOf(`${buyerId}:${z.string().min(8).max(128).parse(req.get('idempotency-key'))}`);
  const heldAt = new Date();
  const order = { orderId, eventId, buyerId, quantity, heldAt, holdUntil: new Date(heldAt.getTime() + HOLD_MS) };
  try {
    await prisma.$transaction(
      async (tx) => {
        const lines = [{ ...GENERAL, quantity, priceCents: 2_500 }];
        await tx.order.create({ data: { ...order, lines, totalCents: totalCents(lines), status: 'held' } });
        const taken = await tx.$executeRaw`
          update availability set held = held + ${quantity}
          where event_id = ${eventId} and sold + held + ${quantity} <= capacity`;
        if (taken === 0) throw new SoldOut();
      },
      // Under load many requests wait; the default of two seconds would reject most of them.
      { maxWait: 30_000, timeout: 30_000 },
    );
    res.status(201).json(order);
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')) throw error;
    res.status(201).json(await prisma.order.findUnique({ where: { orderId } }));
  }
});

app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
  const status =
    error instanceof SoldOut ? 409 : error instanceof z.ZodError ? 400 : /^JWT|^JWS/.test(error.name) ? 401 : 500;
  if (status === 500) console.error(error);
  res.status(status).json({ error: status === 409 ? 'sold-out' : error.message });
});

await prisma.$connect();
const server = app.listen(PORT, '127.0.0.1', () => process.send?.('ready'));
// Longer than the gateway keeps an idle connection. Otherwise the gateway would sometimes use a connection that is
// closing.
server.keepAliveTimeout = 600_000;
process.once('disconnect', () => process.exit(0));
