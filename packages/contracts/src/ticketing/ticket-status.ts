// No zod here: pages load what a status means before they load a schema library.

/**
 * What a ticket is good for. Only `valid` admits. `canceled`: the organizer called the event off, its refund is about to be asked for;
 * `refunding`: it was asked for; `refunded`: the money was sent back; `disputed`: a bank took money back in a dispute, and the ticket is
 * good again only if that is won after all; `frozen`: a bank disputes its payment right now, and it is good again when that is won.
 */
export const TICKET_STATUSES = ['valid', 'frozen', 'canceled', 'refunding', 'refunded', 'disputed'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** As a page reads it: `unknown` is a status of a later release, of which it says nothing. */
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

/** The ticket opens the door now, and can be refunded. */
export const admits = (status: ShownTicketStatus): boolean => MEANINGS[status].admits;

/** The ticket has ended: it was returned, its event was canceled, or a bank took its money. */
export const isVoid = (status: ShownTicketStatus): boolean => MEANINGS[status].isVoid;

/** The ticket does not admit now and may admit later: a dispute decides. */
export const mayComeBack = (status: ShownTicketStatus): boolean => MEANINGS[status].mayComeBack;

/** The ticket waits for a bank's decision. */
export const isOnHold = (status: ShownTicketStatus): boolean => mayComeBack(status) && !isVoid(status);
