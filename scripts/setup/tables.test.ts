import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tablesFile, tablesPath } from './tables.ts';

const root = join(import.meta.dirname, '..', '..');
const services = globSync('services/*/prisma/schema.prisma', { cwd: root }).map((file) => dirname(dirname(file)));

test.each(services)('%s: the generated tables match schema.prisma', (service) => {
  const schema = readFileSync(join(root, service, 'prisma', 'schema.prisma'), 'utf8');
  expect(readFileSync(tablesPath(join(root, service)), 'utf8')).toBe(tablesFile(schema));
});

test('types, nulls and defaults are copied; relations have no column', () => {
  const file = tablesFile(`
    model Order {
      orderId String @id @map("order_id") @db.Uuid
      buyerId Int? @map("buyer_id")
      tags String[]
      frozen Boolean @default(false)
      tickets Ticket[]
      @@map("orders")
    }
    model Ticket {
      id Int @id
      order Order @relation(fields: [id], references: [orderId])
    }`);
  expect(file).toContain(
    `export const orders = table('orders', {\n  orderId: 'uuid',\n  buyerId: 'int4?',\n  tags: 'text[]',\n  frozen: 'bool=',\n});`,
  );
  expect(file).toContain(`export type Tables = TablesOf<{\n  orders: typeof orders;\n  Ticket: typeof Ticket;\n}>;`);
});

test('a field whose name differs from its column is an error that states the required name', () => {
  expect(() => tablesFile('model Order {\n  buyer Int @map("buyer_id")\n}')).toThrow(
    'Order.buyer must be called buyerId to match its column buyer_id',
  );
});
