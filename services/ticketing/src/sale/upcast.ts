import type { Fact } from '@beltway/event-store';
import { MONEY_EVENTS, type SaleEvent } from './events.ts';

/** Names that events were stored under before. What is stored is never rewritten. */
const RENAMED: Readonly<Record<string, SaleEvent['type']>> = { RefundRequested: 'PaymentNotFulfilled' };

export const upcastSale = ({ type, data }: Fact): SaleEvent => ({ type: RENAMED[type] ?? type, data }) as SaleEvent;

/** As the log has them, for reading it by types. The index `events_of_money` has the same, and skips the holds. */
export const STORED_MONEY_EVENTS: readonly string[] = [...MONEY_EVENTS, 'RefundRequested'];
