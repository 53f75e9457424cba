import type { Language } from '@beltway/contracts/common/languages';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import { ZONE } from '@beltway/contracts/common/times';
import { easternText, plannedWhenText } from '@beltway/contracts/common/when';

/** Why no ticket of an order admits. */
export type VoidReason = 'event-canceled' | 'disputed' | 'returned';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE });
const count = (quantity: number) => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

const REFUND_STATES: Record<OrderRefund['state'], string> = {
  requested: 'requested',
  refunded: 'sent',
  failed: 'failed, trying again',
  unknown: 'in progress',
};

const WHO: Record<OrderRefund['cause'], string> = {
  'refunded-by-organizer': 'The organizer is refunding your order.',
  'refunded-by-admin': 'Beltway is refunding your order.',
  'canceled-by-buyer': 'You canceled.',
  'event-canceled': 'The organizer canceled this event.',
  'refunded-by-provider': 'The payment for this order was taken back.',
  'too-late': 'Your payment arrived too late.',
  underpaid: 'Your payment was less than the price.',
  'order-lost': 'The order for this payment was lost.',
  unknown: 'Your order is being refunded.',
};

const VOID: Record<VoidReason, string> = {
  'event-canceled': 'The organizer canceled this event.',
  disputed: 'The payment for this ticket was disputed.',
  returned: 'This ticket is being refunded to its buyer.',
};

/** The texts of mails, PDF tickets and calendar files. Every language has the same keys. */
export const english = {
  language: 'en' as Language,

  // Facts
  planned: (event: Parameters<typeof plannedWhenText>[0]) => plannedWhenText(event, 'en'),
  until: (start: string, end: string) => `${start} to ${easternText(end, 'en')}`,
  count,
  names: {
    event: 'Event',
    when: 'When',
    where: 'Where',
    tickets: 'Tickets',
    total: 'Total',
    share: 'Breakdown',
    refund: 'Refund',
    canceling: 'Cancellation',
    order: 'Order',
    whenBefore: 'Previous time',
    whereBefore: 'Previous location',
  },
  countOfOrder: (quantity: number, order: string | null) => `${count(quantity)}${order ? `, order ${order}` : ''}`,
  allIncluded: (amount: string) => `${amount}, all included`,
  share: (organizer: string, fee: string) =>
    `${organizer} for the organizer, ${fee} Beltway fee (5%), processing fee $0.00`,
  refundValue: (amount: string, state: OrderRefund['state'], at: Date) =>
    `${amount}, ${REFUND_STATES[state]} on ${DAY.format(at)} ET`,
  googleCalendar: 'Add to Google Calendar',
  map: 'Map and directions',
  help: (support: string, order: string | null) =>
    `Questions? Email ${support}${order ? ` and mention order ${order}` : ''}.`,
  foot: 'Beltway. What’s on tonight around DC, Maryland and Virginia, and the ticket for it.',
  hello: (name: string | null) => `Hello ${name},`,
  openTickets: 'Open your tickets',
  seeOrder: 'See this order',
  qrOf: (code: string) => `QR code of ticket ${code}`,
  ticketOf: (at: number, of: number) => `Ticket ${at} of ${of}`,

  // The tickets
  yourTickets: (quantity: number, title: string) => `Your ${count(quantity)} for ${title}`,
  postponedFirst:
    'The organizer postponed this event. Your tickets are valid for the new date. We’ll email you when there is one.',
  atTheDoor: (name: string | null, quantity: number, isPostponed: boolean) =>
    `Hello ${name}, show one code per person at the door, on a screen or on paper. tickets.pdf has ${quantity === 1 ? 'your code' : 'all your codes'}, and event.ics ${isPostponed ? 'removes the old date from your calendar' : 'adds the event to your calendar'}.`,

  // A new link
  newLink: (title: string) => `Your new link for ${title}`,
  newLinkPreview: 'Links in earlier emails no longer open your tickets.',
  newLinkWhy: (hasCodes: boolean) =>
    `You asked for a new link to your tickets. Links in earlier emails no longer open them.${hasCodes ? ' Your QR codes stay the same.' : ''}`,

  // The email address was corrected
  correctedFirst:
    'The email address of this order was corrected. From now on, we send your tickets here. Links in earlier emails no longer open them.',
  addressCorrected: (title: string) => `The email address of an order for ${title} was corrected`,
  addressCorrectedWhy:
    'An order made with this email address now has a different one. We send its tickets there, and links in earlier emails no longer open them. If this was your order and the change is wrong, contact us.',

  // Messages between buyer and organizer
  messageOfBuyer: (title: string, order: string | null) => `Message about ${title}${order ? `, order ${order}` : ''}`,
  messageOfOrganizer: (title: string) => `Message from the organizer of ${title}`,
  buyerWrites: (name: string | null) => `${name ?? 'A buyer'} has tickets for this event and wrote:`,
  organizerWrites: 'The organizer of this event wrote about your order:',
  answer: 'Reply',
  messageHides:
    'Reply with the button, so neither of you sees the other’s email address. Beltway hasn’t checked this message. Don’t send card numbers or passwords.',

  // The event changed
  oldDateOut: 'event.ics removes the old date from your calendar.',
  calendarUpToDate: 'event.ics updates your calendar.',
  placeToo: (place: string) => ` The location changed, too: ${place}.`,
  isPostponed: (title: string) => `${title} is postponed`,
  isPostponedWhy: (before: string) => `The organizer postponed this event. It won’t take place on ${before}.`,
  isPostponedNow: 'Your tickets stay valid for the new date. We’ll email you when there is one.',
  hasNewDate: (title: string) => `${title} has a new date`,
  hasNewDateWhy: 'The event was postponed and now has a new date.',
  hasNewDateNow: (when: string) => `New date: ${when}. Your tickets are valid for it.`,
  isSuspended: (title: string) => `${title} is not on sale for now`,
  isSuspendedWhy: 'Beltway took this event off its lists and isn’t selling tickets for now.',
  isSuspendedNow:
    'Your tickets stay valid. If the event is canceled, you get a refund. We’ll email you when this changes.',
  isResumed: (title: string) => `${title} is on sale again`,
  isResumedWhy: 'The event is listed again, and tickets are back on sale.',
  isResumedNow: 'Your tickets were valid the whole time. You don’t need to do anything.',
  newTimeAndPlace: (title: string) => `${title}: new time and location`,
  newTime: (title: string) => `${title}: new time`,
  newPlace: (title: string) => `${title}: new location`,
  now: (what: string) => `Now: ${what}.`,
  changedWhy: 'The organizer changed this event. Your tickets stay valid.',

  // Refunds
  asked: (money: string) => `We requested your refund of ${money}. We’ll email you when it’s on its way.`,
  sent: (money: string) => `${money} went back to your card. Banks show it within 5 to 10 days.`,
  tryingAgain: (money: string) => `We’re trying again to send you ${money}. We’ll email you when it’s on its way.`,
  throughBank: (money: string) => `You get the ${money} back through your bank.`,
  moneyBack: (title: string) => `You’re getting a refund for ${title}`,
  tooLateWhy:
    'Your payment arrived after your ten minutes were up, and by then we could no longer give you the tickets. We’re sorry.',
  underpaidWhy: 'We received less than your tickets cost, so you didn’t get them. We’re sorry.',
  canceled: (title: string) => `${title} was canceled: your refund`,
  canceledWhy: 'The organizer canceled this event. Your tickets are no longer valid.',
  noLongerValid: (title: string) => `Your tickets for ${title} are no longer valid`,
  noLongerValidWhy: 'The payment for this order was taken back. Your tickets are no longer valid.',
  disputeLostWhy:
    'Your bank decided the dispute about this order’s payment in your favor. Your tickets are no longer valid.',
  throughYourBank: 'You get your money back through your bank.',
  refundSent: (title: string) => `Your refund for ${title} was sent`,
  refundSentWhy: 'Your refund was sent.',
  partSentWhy: (quantity: number) => `Your refund for ${count(quantity)} was sent.`,
  notReached: (title: string) => `Your refund for ${title} didn’t go through`,
  notReachedWhy: 'Your bank didn’t accept the refund we sent, and the money came back to us.',
  refundAsked: (title: string) => `Your refund for ${title}`,
  refundAskedWhy: (cause: OrderRefund['cause'], quantity: number, areAll: boolean, reason: string | null | undefined) =>
    `${WHO[cause]} ${areAll ? (quantity === 1 ? 'Your ticket' : 'Your tickets') : `${count(quantity)} in your order`} ${quantity === 1 ? 'is' : 'are'} no longer valid.${reason ? ` Reason given: ${reason}` : ''}`,

  // PDF tickets and calendar files
  paperTitle: (title: string, isVoid: boolean) => `${isVoid ? 'Void tickets' : 'Tickets'} for ${title}`,
  paperNames: { holder: 'Holder', code: 'Code', price: 'Price', type: 'Type', order: 'Order' },
  voidMark: 'VOID',
  voidTicket: (why: string) => `Void: this ticket admits no one. ${why}`,
  voidBecause: (reason: VoidReason) => VOID[reason],
  frozen: 'A bank is disputing its payment. It’s valid again if that’s settled in our favor.',
  admission: 'One admission. Show this code at the door, on paper or on a screen.',
  admissionPostponed: 'One admission, valid for the new date. The event is postponed.',
  calendarVoid: (why: string) => `Your tickets are void. ${why}`,
  calendarPostponed: 'Postponed: your tickets stay valid for the new date. ',
};

export type Words = typeof english;
