import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import type { Bound } from '../form.ts';
import { REFUND_DEADLINES } from '../refunds/deadline.ts';
import { DateField } from './date-field.tsx';
import { LOST_PHOTO } from './draft-note.tsx';
import type { EventForm } from './event-form.ts';
import { ImageField } from './image-field.tsx';
import { LocationField } from './location-field.tsx';
import { TagsField } from './tags-field.tsx';

interface FieldsProps {
  /** Of the form that they belong to. */
  bind: <Name extends keyof EventForm>(name: Name) => Bound<EventForm[Name]>;
}

interface EventFieldsProps extends FieldsProps {
  /** The draft had a photo that the browser could not keep. */
  hasLostPhoto: boolean;
  /** The title takes the focus. */
  autoFocus?: boolean;
}

/** Title, description, picture, day and hours, place and tags. */
export const EventFields = ({ bind, hasLostPhoto, autoFocus = false }: EventFieldsProps) => (
  <>
    <TextField {...bind('title')} label="Event title" maxLength={200} autoComplete="off" autoFocus={autoFocus} />
    <TextField {...bind('description')} label="Event description" as={Textarea} maxLength={5000} />
    <ImageField {...bind('imageUrl')} note={hasLostPhoto && bind('imageUrl').value === '' ? LOST_PHOTO : undefined} />
    <div className="grid gap-6 sm:grid-cols-2">
      <DateField {...bind('eventDate')} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] content-start gap-4">
        <TextField {...bind('eventStartTime')} label="Start time" type="time" />
        <TextField {...bind('eventEndTime')} label="End time" type="time" optional />
      </div>
    </div>
    <LocationField {...bind('location')} />
    <TagsField {...bind('tags')} />
  </>
);

/** Price, number, and until when they may be given back. */
export const TicketFields = ({ bind }: FieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      {...bind('ticketPrice')}
      label="Ticket price in $"
      type="number"
      inputMode="decimal"
      step="0.01"
      min="0"
    />
    <TextField {...bind('totalTickets')} label="Total tickets" type="number" inputMode="numeric" step="1" min="1" />
    <RefundDeadline {...bind('refundDeadlineHours')} />
  </div>
);

/** Until when buyers may cancel. Hours that are none of the choices, given by an API, stay one. */
const RefundDeadline = ({ name, value, error, onChange }: Bound<string>) => (
  <Field label="Buyers may cancel" hint="Shown before they pay. What they were promised stays." error={error}>
    <Select name={name} value={value} onChange={({ target }) => onChange(target.value)}>
      {REFUND_DEADLINES.some(([known]) => known === value) || <option value={value}>Until {value} hours before</option>}
      {REFUND_DEADLINES.map(([known, label]) => (
        <option key={known} value={known}>
          {label}
        </option>
      ))}
    </Select>
  </Field>
);
