import type { Event } from '@beltway/contracts/catalog/events';
import { centsToDollars } from '@beltway/contracts/common/basics';
import { TicketCount, TicketPrice } from '@beltway/contracts/catalog/event-bodies';
import { emailText } from '@beltway/contracts/common/text';
import { MOST_DAYS, dayAt, instantOf, isLastDay } from '@beltway/contracts/common/times';
import { fault } from '@beltway/contracts/problems/fault';
import { z } from 'zod';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { emptyEvent, EventForm, formOf, momentOf } from '../../lib/event-form/event-form.ts';
import { deadlineOf } from '../../lib/refunds/deadline.ts';
import type { Messages } from '../../lib/forms/form.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { RepeatChoice, countOf, isCounted, repeatOf } from './repeat.ts';
import { texts } from './texts.en.ts';
import { sayFault } from '../../lib/forms/say-fault.ts';

/** The fields of the Add New Event dialog. */
export const LaunchForm = EventForm.extend({
  hasTickets: z.boolean(),
  contactEmail: z.string(),
  repeat: RepeatChoice,
  repeatCount: z.string(),
  moreDates: z.array(z.string()).readonly(),
});
export type LaunchForm = z.infer<typeof LaunchForm>;

/** Starts at 19:00 by default (services/catalog/PRODUCT.md#launching-an-event). */
export const emptyForm = (contactEmail = ''): LaunchForm => ({
  ...emptyEvent,
  eventStartTime: '19:00',
  hasTickets: false,
  contactEmail,
  repeat: 'never',
  repeatCount: '4',
  moreDates: [],
});

/** A copy of an event without the date and the sale times, which the organizer must enter again. */
export const copyOf = (event: Event): LaunchForm => ({
  ...emptyForm(event.contactEmail ?? ''),
  ...formOf(event),
  eventDate: '',
  eventLastDate: '',
  ticketSalesStartTime: '',
  ticketSalesEndTime: '',
  hasTickets: event.hasTickets,
});

/** The required fields, in the order of the form. */
const required = [
  'title',
  'description',
  'eventDate',
  'eventStartTime',
  'location',
  'tags',
  'contactEmail',
] as const satisfies readonly (keyof LaunchForm)[];

const isEmpty = (value: LaunchForm[keyof LaunchForm]) =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

/**
 * Applies the rules of services/catalog/PRODUCT.md#launching-an-event and requires a start in the future. Reports
 * missing fields first.
 */
export const launchSchema = (clock = () => new Date(serverNow())) =>
  LaunchForm.superRefine((form, context) => {
    const t = textsNow(texts);
    const refuse = (field: keyof LaunchForm, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const missing = required.filter((field) => isEmpty(form[field]));
    for (const field of missing) refuse(field, t(`${field}Missing`));
    if (missing.length > 0) return;
    if (!emailText().safeParse(form.contactEmail).success) refuse('contactEmail', t('wrongEmailWhy'));
    const price = form.hasTickets ? TicketPrice.safeParse(form.ticketPrice) : null;
    if (price?.error) refuse('ticketPrice', sayFault(price.error.issues[0]!.message));
    const total = form.hasTickets ? TicketCount.safeParse(form.totalTickets) : null;
    if (total?.error) refuse('totalTickets', t('wrongTotalWhy'));
    const { ticketSalesStartTime: opens, ticketSalesEndTime: closes } = form;
    if (form.hasTickets && closes && opens && closes <= opens) refuse('ticketSalesEndTime', t('salesOrder'));
    else if (form.hasTickets && closes && momentOf(closes) <= clock().toISOString())
      refuse('ticketSalesEndTime', t('salesOver'));
    if (form.eventDate < dayAt(clock())) refuse('eventDate', t('pastDate'));
    else if (instantOf(form.eventDate, form.eventStartTime) <= clock()) refuse('eventStartTime', t('pastStart'));
    if (form.eventLastDate && !isLastDay(form.eventDate, form.eventLastDate))
      refuse('eventLastDate', sayFault(fault('last-date.wrong', { max: MOST_DAYS })));
    if (isCounted(form.repeat) && countOf(form.repeatCount) === null) refuse('repeatCount', t('howManyMissing'));
    else if (form.repeat === 'dates' && !repeatOf(form)) refuse('moreDates', t('oneMoreMissing'));
    else if (form.repeat !== 'never' && !repeatOf(form)) refuse('repeat', t('notLast'));
  });

const titles = [
  ['contactEmail', 'wrongEmail'],
  ['ticketPrice', 'wrongPrice'],
  ['totalTickets', 'wrongTotal'],
  ['ticketSalesEndTime', 'wrongSales'],
  ['eventDate', 'wrongDate'],
  ['eventLastDate', 'wrongDate'],
  ['eventStartTime', 'wrongStart'],
  ['repeat', 'wrongDates'],
  ['repeatCount', 'wrongDates'],
  ['moreDates', 'wrongDates'],
] as const satisfies readonly (readonly [keyof LaunchForm, string])[];

/** The toast for an invalid form, in fixed texts (frontend/PRODUCT.md#fixed-texts). */
export function refusalToast(messages: Messages<LaunchForm>): { title: string; description: string } {
  const t = textsNow(texts);
  const missing = required.filter((field) => messages[field] === t(`${field}Missing`)).map((field) => t(field));
  if (missing.length > 0)
    return {
      title: t('missing'),
      description: t('missingWhat', { fields: missing.join(', ') }),
    };
  const [field, title] = titles.find(([name]) => messages[name]) ?? titles[0];
  return { title: t(title), description: messages[field] ?? '' };
}

/** The body of POST /api/events. */
export const bodyOf = (whole: LaunchForm) => {
  const {
    eventLastDate,
    freeEntry,
    address,
    hasTickets,
    ticketPrice,
    totalTickets,
    ticketSalesStartTime,
    ticketSalesEndTime,
    refundDeadlineHours,
    repeat: _choice,
    repeatCount: _count,
    moreDates: _dates,
    ...form
  } = whole;
  const repeat = repeatOf(whole);
  return {
    ...form,
    title: form.title.trim(),
    description: form.description.trim(),
    eventDate: instantOf(form.eventDate).toISOString(),
    ...(eventLastDate && { eventLastDate: instantOf(eventLastDate).toISOString() }),
    location: form.location.trim(),
    ...(address.trim() && { address: address.trim() }),
    imageUrl: form.imageUrl.trim(),
    contactEmail: form.contactEmail.trim(),
    hasTickets,
    ...(freeEntry && !hasTickets && { freeEntry }),
    isSponsored: false,
    promotionLevel: 'none',
    ...(hasTickets && {
      ticketPrice: centsToDollars(TicketPrice.parse(ticketPrice)),
      totalTickets: TicketCount.parse(totalTickets),
      ticketSalesEnabled: true,
      ...(ticketSalesStartTime && { ticketSalesStartTime: momentOf(ticketSalesStartTime) }),
      ...(ticketSalesEndTime && { ticketSalesEndTime: momentOf(ticketSalesEndTime) }),
      ...(refundDeadlineHours !== emptyEvent.refundDeadlineHours && {
        refundDeadlineHours: deadlineOf(refundDeadlineHours),
      }),
    }),
    ...(repeat && { repeat }),
  };
};
