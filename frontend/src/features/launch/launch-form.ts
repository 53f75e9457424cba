import type { Event } from '@beltway/contracts/catalog/events';
import { centsToDollars } from '@beltway/contracts/common/basics';
import { TicketCount, TicketPrice } from '@beltway/contracts/catalog/event-bodies';
import { emailText } from '@beltway/contracts/common/text';
import { dayAt, instantOf } from '@beltway/contracts/common/times';
import { z } from 'zod';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { emptyEvent, EventForm, formOf } from '../../lib/event-form/event-form.ts';
import { deadlineOf } from '../../lib/refunds/deadline.ts';
import type { Messages } from '../../lib/forms/form.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { RepeatChoice, countOf, isCounted, repeatOf } from './repeat.ts';
import { texts } from './texts.en.ts';
import { sayFault } from '../../lib/forms/say-fault.ts';

/** What the Add New Event dialog holds. */
export const LaunchForm = EventForm.extend({
  hasTickets: z.boolean(),
  contactEmail: z.string(),
  repeat: RepeatChoice,
  repeatCount: z.string(),
  moreDates: z.array(z.string()).readonly(),
});
export type LaunchForm = z.infer<typeof LaunchForm>;

/** Starts at 19:00 unless another time is given: services/catalog/PRODUCT.md#launching-an-event */
export const emptyForm = (contactEmail = ''): LaunchForm => ({
  ...emptyEvent,
  eventStartTime: '19:00',
  hasTickets: false,
  contactEmail,
  repeat: 'never',
  repeatCount: '4',
  moreDates: [],
});

/** A copy of an event: everything but its date, which has to be a new one. */
export const copyOf = (event: Event): LaunchForm => ({
  ...emptyForm(event.contactEmail ?? ''),
  ...formOf(event),
  eventDate: '',
  hasTickets: event.hasTickets,
});

/** In the order of the form. */
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

/** Checks as services/catalog/PRODUCT.md#launching-an-event, and that its start is to come. What is missing comes first. */
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
    if (form.eventDate < dayAt(clock())) refuse('eventDate', t('pastDate'));
    else if (instantOf(form.eventDate, form.eventStartTime) <= clock()) refuse('eventStartTime', t('pastStart'));
    if (isCounted(form.repeat) && countOf(form.repeatCount) === null) refuse('repeatCount', t('howManyMissing'));
    else if (form.repeat === 'dates' && !repeatOf(form)) refuse('moreDates', t('oneMoreMissing'));
    else if (form.repeat !== 'never' && !repeatOf(form)) refuse('repeat', t('notLast'));
  });

const titles = [
  ['contactEmail', 'wrongEmail'],
  ['ticketPrice', 'wrongPrice'],
  ['totalTickets', 'wrongTotal'],
  ['eventDate', 'wrongDate'],
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
    hasTickets,
    ticketPrice,
    totalTickets,
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
    location: form.location.trim(),
    imageUrl: form.imageUrl.trim(),
    contactEmail: form.contactEmail.trim(),
    hasTickets,
    isSponsored: false,
    promotionLevel: 'none',
    ...(hasTickets && {
      ticketPrice: centsToDollars(TicketPrice.parse(ticketPrice)),
      totalTickets: TicketCount.parse(totalTickets),
      ticketSalesEnabled: true,
      ...(refundDeadlineHours !== emptyEvent.refundDeadlineHours && {
        refundDeadlineHours: deadlineOf(refundDeadlineHours),
      }),
    }),
    ...(repeat && { repeat }),
  };
};
