import type { Attendee } from '@beltway/contracts/ticketing/tickets';
import { inNewYork, newYorkTime, type CsvColumns } from '../csv.ts';

export const ATTENDEE_COLUMNS: CsvColumns<Attendee> = [
  ['Order number', ({ orderNumber }) => orderNumber ?? ''],
  ['Name', ({ name }) => name],
  ['Tickets', ({ quantity }) => String(quantity)],
  ['Status', ({ status }) => status],
  ['Paid (USD)', ({ amount }) => amount.toFixed(2)],
  [inNewYork('Ordered at'), ({ orderedAt }) => newYorkTime(orderedAt)],
];
