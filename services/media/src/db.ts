import { lazyPrisma } from '@beltway/kit/lazy-prisma';
import type { Pool } from 'pg';
import type { PrismaClient } from './generated/prisma/client.ts';

export type Db = () => Promise<PrismaClient>;

export const lazyDb = (pool: Pool): Db => lazyPrisma(pool, () => import('./generated/prisma/internal/class.ts'));
