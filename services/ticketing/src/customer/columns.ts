import type { Customer } from '@beltway/contracts/ticketing/customers';
import { dayOf } from '@beltway/contracts/common/times';
import { inNewYork, newYorkTime, type CsvColumns } from '../csv.ts';

const money = (dollars: number): string => dollars.toFixed(2);

export const CUSTOMER_COLUMNS: CsvColumns<Customer> = [
  ['Order number', ({ orderNumber }) => orderNumber ?? ''],
  ['Name', ({ customerName }) => customerName],
  ['Email', ({ customerEmail }) => customerEmail],
  ['Event', ({ eventTitle }) => eventTitle],
  ['Event date', ({ eventDate }) => dayOf(eventDate)],
  ['Location', ({ eventLocation }) => eventLocation],
  ['Ticket price (USD)', ({ ticketPrice }) => money(ticketPrice)],
  ['Tickets', ({ quantity }) => String(quantity)],
  ['Total (USD)', ({ totalAmount }) => money(totalAmount)],
  [inNewYork('Ordered at'), ({ purchaseDate }) => newYorkTime(purchaseDate)],
  ['Payment', ({ paymentStatus }) => (paymentStatus === 'completed' ? 'Paid' : 'Pending')],
  ['Tickets refunded', ({ returnedTickets }) => String(returnedTickets)],
  ['Refund', ({ refund }) => refund ?? ''],
];
