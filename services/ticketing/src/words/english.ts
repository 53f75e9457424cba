import type { Language } from '@beltway/contracts/common/languages';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import { ZONE } from '@beltway/contracts/common/times';
import { easternText, plannedWhenText } from '@beltway/contracts/common/when';

/** Why no ticket of an order admits anybody any more. */
export type VoidReason = 'event-canceled' | 'disputed' | 'returned';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE });
const count = (quantity: number) => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

const REFUND_STATES: Record<OrderRefund['state'], string> = {
  requested: 'asked for',
  refunded: 'sent',
  failed: 'failed, tried again',
  unknown: 'under way',
};

const WHO: Record<OrderRefund['cause'], string> = {
  'refunded-by-organizer': 'The organizer of this event refunds your order.',
  'refunded-by-admin': 'Beltway refunds your order.',
  'canceled-by-buyer': 'You canceled.',
  'event-canceled': 'The organizer canceled this event.',
  'refunded-by-provider': 'The payment of this order was taken back.',
  'too-late': 'Your payment came too late.',
  underpaid: 'Your payment was less than the price.',
  'order-lost': 'The order of this payment was lost.',
  unknown: 'Your order is refunded.',
};

const VOID: Record<VoidReason, string> = {
  'event-canceled': 'The organizer canceled this event.',
  disputed: 'The payment for this ticket was disputed.',
  returned: 'The money for this ticket goes back to its buyer.',
};

/** What mails, tickets on paper and calendar files say. Each language has the same, of the same facts. */
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
    share: 'Of it',
    refund: 'Refund',
    canceling: 'Cancellation',
    order: 'Order',
    whenBefore: 'When, before',
    whereBefore: 'Where, before',
  },
  countOfOrder: (quantity: number, order: string | null) => `${count(quantity)}${order ? `, order ${order}` : ''}`,
  allIncluded: (amount: string) => `${amount}, all included`,
  share: (organizer: string, fee: string) =>
    `${organizer} for the organizer, ${fee} fee of Beltway (5 %), processing fee $0.00`,
  refundValue: (amount: string, state: OrderRefund['state'], at: Date) =>
    `${amount}, ${REFUND_STATES[state]} on ${DAY.format(at)} ET`,
  googleCalendar: 'Add to Google Calendar',
  map: 'Map and directions',
  help: (support: string, order: string | null) =>
    `Questions? Write to ${support}${order ? ` and name order ${order}` : ''}.`,
  foot: 'Beltway. What is on tonight around DC, Maryland and Virginia, and the ticket for it.',
  hello: (name: string | null) => `Hello ${name},`,
  openTickets: 'Open your tickets',
  seeOrder: 'See this order',
  qrOf: (code: string) => `QR code of ticket ${code}`,
  ticketOf: (at: number, of: number) => `Ticket ${at} of ${of}`,

  // The tickets
  yourTickets: (quantity: number, title: string) => `Your ${count(quantity)} for ${title}`,
  postponedFirst:
    'The organizer has postponed this event. Your tickets are valid for its new date, and we write as soon as there is one.',
  atTheDoor: (name: string | null, quantity: number, isPostponed: boolean) =>
    `Hello ${name}, show one code per person at the door, on a screen or on paper: tickets.pdf holds ${quantity === 1 ? 'it' : 'them all'}, and event.ics ${isPostponed ? 'takes the old date out of your calendar' : 'puts the evening into any calendar'}.`,

  // A new link
  newLink: (title: string) => `Your new link for ${title}`,
  newLinkPreview: 'Links in earlier mails no longer open your tickets.',
  newLinkWhy: (hasCodes: boolean) =>
    `You asked for a new link to your tickets. The links in earlier mails no longer open them.${hasCodes ? ' The QR codes stay as they are.' : ''}`,

  // The event changed
  oldDateOut: 'event.ics takes the old date out of your calendar.',
  calendarUpToDate: 'event.ics brings your calendar up to date.',
  placeToo: (place: string) => ` The place is another one, too: ${place}.`,
  isPostponed: (title: string) => `${title} is postponed`,
  isPostponedWhy: (before: string) => `The organizer has postponed this event. It does not take place on ${before}.`,
  isPostponedNow: 'Your tickets stay valid for the new date. We write to you as soon as there is one.',
  hasNewDate: (title: string) => `${title} has a new date`,
  hasNewDateWhy: 'The event was postponed, and has a date again.',
  hasNewDateNow: (when: string) => `New date: ${when}. Your tickets are valid for it.`,
  newTimeAndPlace: (title: string) => `${title}: new time and place`,
  newTime: (title: string) => `${title}: new time`,
  newPlace: (title: string) => `${title}: new place`,
  now: (what: string) => `Now: ${what}.`,
  changedWhy: 'The organizer has changed this event. Your tickets stay valid.',

  // Money that goes back
  asked: (money: string) => `We have asked for your refund of ${money}, and write again as soon as it is on its way.`,
  sent: (money: string) => `${money} went back to your card. Banks show it within 5 to 10 days.`,
  tryingAgain: (money: string) => `We are trying again to send you ${money}, and write as soon as it is on its way.`,
  throughBank: (money: string) => `The ${money} come back to you through your bank.`,
  moneyBack: (title: string) => `You get your money for ${title} back`,
  tooLateWhy:
    'Your payment arrived after your ten minutes were over, and the last tickets had gone to others by then. We are sorry.',
  underpaidWhy: 'Less arrived than your tickets cost, so the order got none. We are sorry.',
  canceled: (title: string) => `${title} was canceled: your refund`,
  canceledWhy: 'The organizer canceled this event. Your tickets are no longer valid.',
  noLongerValid: (title: string) => `Your tickets for ${title} are no longer valid`,
  noLongerValidWhy: 'The payment of this order was taken back. Your tickets are no longer valid.',
  disputeLostWhy:
    'Your bank decided the dispute about the payment of this order for you. Your tickets are no longer valid.',
  throughYourBank: 'Your bank gives you back what it took.',
  refundSent: (title: string) => `Your refund for ${title} was sent`,
  refundSentWhy: 'Your refund was sent.',
  partSentWhy: (quantity: number) => `Your refund for ${count(quantity)} was sent.`,
  notReached: (title: string) => `Your refund for ${title} has not reached you`,
  notReachedWhy: 'Your bank did not accept the refund that we had sent, and the money came back to us.',
  refundAsked: (title: string) => `Your refund for ${title}`,
  refundAskedWhy: (cause: OrderRefund['cause'], quantity: number, areAll: boolean, reason: string | null | undefined) =>
    `${WHO[cause]} ${areAll ? 'Your tickets' : `${count(quantity)} of your order`} ${quantity === 1 ? 'is' : 'are'} no longer valid.${reason ? ` Reason given: ${reason}` : ''}`,

  // On paper, and in calendars
  paperTitle: (title: string, isVoid: boolean) => `${isVoid ? 'Void tickets' : 'Tickets'} for ${title}`,
  paperNames: { holder: 'Holder', code: 'Code', price: 'Price', type: 'Type', order: 'Order' },
  voidMark: 'VOID',
  voidTicket: (why: string) => `Void: this ticket admits nobody. ${why}`,
  voidBecause: (reason: VoidReason) => VOID[reason],
  frozen: 'A bank disputes its payment. It is good again when that is settled for us.',
  admission: 'One admission. Show this code at the door, on paper or on a screen.',
  admissionPostponed: 'One admission, valid for the new date. The event is postponed.',
  calendarVoid: (why: string) => `Your tickets are void. ${why}`,
  calendarPostponed: 'Postponed: your tickets stay valid for the new date. ',
};

export type Words = typeof english;
