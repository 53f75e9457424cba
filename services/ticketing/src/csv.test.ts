import type { Attendee } from '@beltway/contracts/ticketing/tickets';
import { createServer } from 'node:http';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '@beltway/kit/testing';
import { csvHead, csvLines, sendCsv, type CsvColumns } from './csv.ts';
import { ATTENDEE_COLUMNS } from './attendee/columns.ts';
import { CUSTOMER_COLUMNS } from './customer/columns.ts';

const attendee = (name: string): Attendee => ({
  orderId: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10',
  orderNumber: '4F7K-2M9Q',
  name,
  quantity: 2,
  status: 'valid',
  amount: 51,
  orderedAt: '2030-05-01T00:00:00.000Z',
});
const nameIn = (name: string) => csvLines(ATTENDEE_COLUMNS, [attendee(name)]).split('","')[1];

test('fields are quoted according to RFC 4180', () => {
  expect(csvLines(ATTENDEE_COLUMNS, [attendee('Ann "Lee", Buyer')])).toBe(
    '"4F7K-2M9Q","Ann ""Lee"", Buyer","2","valid","51.00","2030-04-30 20:00:00"\r\n',
  );
  expect(csvHead(ATTENDEE_COLUMNS)).toMatch(/^\uFEFF"Order number","Name",.*\r\n$/);
});

test('times are in New York’s local time, in summer and winter, and the column name states it', () => {
  const timeOf = (orderedAt: string) => csvLines(ATTENDEE_COLUMNS, [{ ...attendee('Ann'), orderedAt }]).split('","')[5];
  expect(timeOf('2030-07-01T03:59:59.999Z')).toBe('2030-06-30 23:59:59"\r\n');
  expect(timeOf('2030-12-01T05:00:00.000Z')).toBe('2030-12-01 00:00:00"\r\n');
  for (const columns of [ATTENDEE_COLUMNS, CUSTOMER_COLUMNS]) {
    const head = csvHead(columns as CsvColumns<never>);
    expect(head).toContain('"Ordered at (New York)"');
    expect(head).not.toContain('UTC');
  }
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', ' =1', '＝1', `=HYPERLINK("http://x","y")`])(
  'a spreadsheet reads %j as text',
  (name) => expect(nameIn(name)).toMatch(/^'/),
);

test.each([
  ['Ann;=1+1;', "Ann;'=1+1;"],
  ['a; @SUM(A1)', "a;' @SUM(A1)"],
  ['=1;-2', "'=1;'-2"],
])('%j has no formula, even if semicolons separate fields', (name, written) => expect(nameIn(name)).toBe(written));

test('a name that contains no formula is unchanged', () =>
  expect(nameIn('O’Neil-Smith = x; y')).toBe('O’Neil-Smith = x; y'));

test('HEAD reads only the first page', async () => {
  const pages: Array<string | undefined> = [];
  const app = express();
  app.get('/', (_req, res) =>
    sendCsv(res, {
      name: 'attendees.csv',
      columns: ATTENDEE_COLUMNS,
      read: async (cursor) => ({ rows: [attendee('Ann')], next: pages.push(cursor) < 50 ? 'more' : null }),
    }),
  );
  const server = createServer(app);
  onTestFinished(() => void server.close());
  const url = await listen(server);

  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(pages).toHaveLength(1);
  pages.length = 0;
  expect((await (await fetch(url)).text()).split('Ann')).toHaveLength(51);
});
