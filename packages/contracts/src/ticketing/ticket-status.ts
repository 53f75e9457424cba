// No zod here: the frontend interprets a status before it loads a schema library.

/**
 * The status of a ticket. Only a `valid` ticket admits its holder.
 * - `canceled`: the organizer canceled the event, and the refund will be requested.
 * - `refunding`: the refund was requested.
 * - `refunded`: the money was sent back.
 * - `disputed`: a bank withdrew the money in a dispute. The ticket becomes valid again only if the dispute is won after
 *   all.
 * - `frozen`: a bank disputes the payment. The ticket becomes valid again if the dispute is won.
 */
export const TICKET_STATUSES = ['valid', 'frozen', 'canceled', 'refunding', 'refunded', 'disputed'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** `unknown`: a status that a later release added and this build of the frontend does not know. */
export type ShownTicketStatus = TicketStatus | 'unknown';

interface Meaning {
  admits: boolean;
  isVoid: boolean;
  mayComeBack: boolean;
}

const MEANINGS: Record<ShownTicketStatus, Meaning> = {
  valid: { admits: true, isVoid: false, mayComeBack: false },
  frozen: { admits: false, isVoid: false, mayComeBack: true },
  canceled: { admits: false, isVoid: true, mayComeBack: false },
  refunding: { admits: false, isVoid: true, mayComeBack: false },
  refunded: { admits: false, isVoid: true, mayComeBack: false },
  disputed: { admits: false, isVoid: true, mayComeBack: true },
  unknown: { admits: false, isVoid: false, mayComeBack: false },
};

/** True if the ticket admits now and can be refunded. */
export const admits = (status: ShownTicketStatus): boolean => MEANINGS[status].admits;

/** True if the ticket is void: it was returned, its event was canceled, or a bank withdrew its money. */
export const isVoid = (status: ShownTicketStatus): boolean => MEANINGS[status].isVoid;

/** True if the ticket does not admit now but may later, depending on a dispute. */
export const mayComeBack = (status: ShownTicketStatus): boolean => MEANINGS[status].mayComeBack;

/** True if the ticket waits for a bank's decision. */
export const isOnHold = (status: ShownTicketStatus): boolean => mayComeBack(status) && !isVoid(status);
