import { TicketPrice } from '@beltway/contracts/catalog';
import { dayAt, instantOf } from '@beltway/contracts/times';
import { z } from 'zod';

/** What the Add New Event dialog holds. Texts as typed; `day` is the calendar's day as yyyy-mm-dd. */
export const LaunchForm = z.object({
  title: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  day: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  locationMode: z.enum(['list', 'custom']),
  location: z.string(),
  tags: z.array(z.string()).readonly(),
  hasTickets: z.boolean(),
  ticketPrice: z.string(),
  totalTickets: z.string(),
  contactEmail: z.string(),
});
export type LaunchForm = z.infer<typeof LaunchForm>;

/** Starts at 19:00 unless another time is given: docs/product.md#launching-an-event */
export const emptyForm = (contactEmail = ''): LaunchForm => ({
  title: '',
  description: '',
  imageUrl: '',
  day: '',
  startTime: '19:00',
  endTime: '',
  locationMode: 'list',
  location: '',
  tags: [],
  hasTickets: false,
  ticketPrice: '',
  totalTickets: '',
  contactEmail,
});

export type LaunchErrors = Partial<Record<keyof LaunchForm, string>>;

interface Refusal {
  /** Its text: docs/product.md#launching-an-event */
  toast: { title: string; description: string };
  errors: LaunchErrors;
}

const required: readonly [keyof LaunchForm, string, string][] = [
  ['title', 'Event Title', 'Give your event a title.'],
  ['description', 'Event Description', 'Say what people can expect.'],
  ['day', 'Event Date', '* Event date is required'],
  ['startTime', 'Start Time', 'Say when it starts.'],
  ['location', 'Event Location', 'Say where it takes place.'],
  ['tags', 'at least one tag', 'Choose or add at least one tag.'],
  ['contactEmail', 'Contact Email', 'We need an address to confirm the event.'],
];

const isEmpty = (value: LaunchForm[keyof LaunchForm]) =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

/** Checks as docs/product.md#launching-an-event, and that its start is to come; null when the form can be sent. */
export function refusalOf(form: LaunchForm, now = new Date()): Refusal | null {
  const missing = required.filter(([field]) => isEmpty(form[field]));
  if (missing.length > 0)
    return {
      toast: {
        title: 'Missing Required Information',
        description: `Please provide the following: ${missing.map(([, name]) => name).join(', ')}`,
      },
      errors: Object.fromEntries(missing.map(([field, , message]) => [field, message])),
    };
  const refuse = (field: keyof LaunchForm, title: string, description: string): Refusal => ({
    toast: { title, description },
    errors: { [field]: description },
  });
  if (!z.email().safeParse(form.contactEmail.trim()).success)
    return refuse('contactEmail', 'Invalid Email', 'Please enter a valid email address for event confirmation');
  const price = form.hasTickets ? TicketPrice.safeParse(form.ticketPrice) : null;
  if (price?.error)
    return refuse('ticketPrice', 'Invalid Ticket Price', price.error.issues[0]?.message ?? 'This is not a price');
  const total = Number(form.totalTickets);
  if (form.hasTickets && !(Number.isInteger(total) && total > 0))
    return refuse('totalTickets', 'Invalid Ticket Quantity', 'Please enter the total number of tickets available');
  if (form.day < dayAt(now))
    return refuse('day', 'Invalid Event Date', 'This date is past. Please choose a later one.');
  if (instantOf(form.day, form.startTime) <= now)
    return refuse('startTime', 'Invalid Start Time', 'This start time is past. Please choose a later one.');
  return null;
}

/** The body of POST /api/events. */
export const bodyOf = (form: LaunchForm) => ({
  title: form.title.trim(),
  description: form.description.trim(),
  eventDate: instantOf(form.day).toISOString(),
  eventStartTime: form.startTime,
  eventEndTime: form.endTime,
  location: form.location.trim(),
  tags: [...form.tags],
  imageUrl: form.imageUrl.trim(),
  hasTickets: form.hasTickets,
  isSponsored: false,
  promotionLevel: 'none',
  contactEmail: form.contactEmail.trim(),
  ...(form.hasTickets && {
    ticketPrice: Number(form.ticketPrice),
    totalTickets: Number(form.totalTickets),
    ticketSalesEnabled: true,
  }),
});

const fieldOf: Record<string, keyof LaunchForm> = {
  title: 'title',
  description: 'description',
  eventDate: 'day',
  eventStartTime: 'startTime',
  eventEndTime: 'endTime',
  location: 'location',
  tags: 'tags',
  imageUrl: 'imageUrl',
  ticketPrice: 'ticketPrice',
  totalTickets: 'totalTickets',
  contactEmail: 'contactEmail',
};

/** What the server found wrong, beside the fields of this form. */
export const serverErrors = (errors: readonly { field: string; message: string }[] = []): LaunchErrors =>
  Object.fromEntries(
    errors.flatMap(({ field, message }) => {
      const own = fieldOf[field.split('.')[0] ?? ''];
      return own ? [[own, message]] : [];
    }),
  );
