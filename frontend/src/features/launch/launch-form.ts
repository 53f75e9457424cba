import { TicketPrice, type Event } from '@beltway/contracts/catalog';
import { dayAt, instantOf } from '@beltway/contracts/times';
import { z } from 'zod';
import { emptyEvent, EventForm } from '../../lib/event-form/event-form.ts';
import { formOf } from '../../lib/event-form/form-of.ts';
import { deadlineOf } from '../../lib/refunds/deadline.ts';
import type { Messages } from '../../lib/form.ts';
import { RepeatChoice, isCount, isCounted, repeatOf } from './repeat.ts';

/** What the Add New Event dialog holds. */
export const LaunchForm = EventForm.extend({
  hasTickets: z.boolean(),
  contactEmail: z.string(),
  repeat: RepeatChoice,
  repeatCount: z.string(),
  moreDates: z.array(z.string()).readonly(),
});
export type LaunchForm = z.infer<typeof LaunchForm>;

/** Starts at 19:00 unless another time is given: docs/product.md#launching-an-event */
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

const required: readonly [keyof LaunchForm, string, string][] = [
  ['title', 'Event Title', 'Give your event a title.'],
  ['description', 'Event Description', 'Say what people can expect.'],
  ['eventDate', 'Event Date', '* Event date is required'],
  ['eventStartTime', 'Start Time', 'Say when it starts.'],
  ['location', 'Event Location', 'Say where it takes place.'],
  ['tags', 'at least one tag', 'Choose or add at least one tag.'],
  ['contactEmail', 'Contact Email', 'We need an address to confirm the event.'],
];

const isEmpty = (value: LaunchForm[keyof LaunchForm]) =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

/** Checks as docs/product.md#launching-an-event, and that its start is to come. What is missing comes first. */
export const launchSchema = (clock = () => new Date()) =>
  LaunchForm.superRefine((form, context) => {
    const refuse = (field: keyof LaunchForm, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const missing = required.filter(([field]) => isEmpty(form[field]));
    for (const [field, , message] of missing) refuse(field, message);
    if (missing.length > 0) return;
    if (!z.email().safeParse(form.contactEmail.trim()).success)
      refuse('contactEmail', 'Please enter a valid email address for event confirmation');
    const price = form.hasTickets ? TicketPrice.safeParse(form.ticketPrice) : null;
    if (price?.error) refuse('ticketPrice', price.error.issues[0]?.message ?? 'This is not a price');
    const total = Number(form.totalTickets);
    if (form.hasTickets && !(Number.isInteger(total) && total > 0))
      refuse('totalTickets', 'Please enter the total number of tickets available');
    if (form.eventDate < dayAt(clock())) refuse('eventDate', 'This date is past. Please choose a later one.');
    else if (instantOf(form.eventDate, form.eventStartTime) <= clock())
      refuse('eventStartTime', 'This start time is past. Please choose a later one.');
    if (isCounted(form.repeat) && !isCount(form.repeatCount)) refuse('repeatCount', 'Say how many dates, 2 to 52');
    else if (form.repeat === 'dates' && !repeatOf(form)) refuse('moreDates', 'Choose at least one more date');
    else if (form.repeat !== 'never' && !repeatOf(form))
      refuse('repeat', 'The date is not the last of its weekday in its month');
  });

const titles: readonly [keyof LaunchForm, string][] = [
  ['contactEmail', 'Invalid Email'],
  ['ticketPrice', 'Invalid Ticket Price'],
  ['totalTickets', 'Invalid Ticket Quantity'],
  ['eventDate', 'Invalid Event Date'],
  ['eventStartTime', 'Invalid Start Time'],
  ['repeat', 'Invalid Dates'],
  ['repeatCount', 'Invalid Dates'],
  ['moreDates', 'Invalid Dates'],
];

/** The toast for a form that does not pass, in the texts of docs/product.md#launching-an-event */
export function refusalToast(messages: Messages<LaunchForm>): { title: string; description: string } {
  const missing = required.filter(([field, , message]) => messages[field] === message).map(([, name]) => name);
  if (missing.length > 0)
    return {
      title: 'Missing Required Information',
      description: `Please provide the following: ${missing.join(', ')}`,
    };
  const [field, title] = titles.find(([name]) => messages[name]) ?? titles[0]!;
  return { title, description: messages[field] ?? '' };
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
      ticketPrice: Number(ticketPrice),
      totalTickets: Number(totalTickets),
      ticketSalesEnabled: true,
      ...(refundDeadlineHours !== emptyEvent.refundDeadlineHours && {
        refundDeadlineHours: deadlineOf(refundDeadlineHours),
      }),
    }),
    ...(repeat && { repeat }),
  };
};
