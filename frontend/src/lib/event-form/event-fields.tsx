import { TicketPrice } from '@beltway/contracts/catalog/event-bodies';
import { platformFeeCents } from '@beltway/contracts/payments/payments';
import { MOST_DAYS, dayAt, daysAfter, daysBetween } from '@beltway/contracts/common/times';
import { spanText } from '@beltway/contracts/ticketing/refund-promise';
import { Field, Select, Switch, Textarea, TextField } from '../../ui/field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { textsNow, useTexts } from '../i18n/catalog.ts';
import type { Bound } from '../forms/form.ts';
import { formatCents } from '../i18n/format.ts';
import { language } from '../i18n/language.ts';
import { freeEntry } from '../events/event-facts.ts';
import { useClock } from '../time/clock.ts';
import { REFUND_DEADLINES } from '../refunds/deadline.ts';
import { clockHint, endHint } from './clock-hint.ts';
import { DateField } from './date-field.tsx';
import type { EventForm } from './event-form.ts';
import { ImageField } from './image-field.tsx';
import { LocationField } from './location-field.tsx';
import { TagsField } from './tags-field.tsx';
import { texts } from './texts.en.ts';

interface FieldsProps {
  /** The form's `bind`. */
  bind: <Name extends keyof EventForm>(name: Name) => Bound<EventForm[Name]>;
}

interface EventFieldsProps extends FieldsProps {
  /** The draft's photo did not fit into the browser's storage. */
  hasLostPhoto: boolean;
  /** Moves the focus to the title on mount. */
  autoFocus?: boolean;
}

/** Title, description, picture, day and hours, place, street address and tags. */
export function EventFields({ bind, hasLostPhoto, autoFocus = false }: EventFieldsProps) {
  const t = useTexts(texts);
  const [day, last] = [bind('eventDate'), bind('eventLastDate')];
  const [start, end] = [bind('eventStartTime'), bind('eventEndTime')];
  const today = dayAt(useClock());
  const nextDay = daysAfter(day.value || today, 1);
  /** Moves the event to another first day and keeps its length. */
  const moveTo = (first: string) => {
    day.onChange(first);
    if (!last.value) return;
    const length = day.value ? daysBetween(day.value, last.value) : 1;
    last.onChange(daysAfter(first, Math.min(Math.max(length, 1), MOST_DAYS - 1)));
  };
  return (
    <>
      <TextField {...bind('title')} label={t('title')} maxLength={200} autoComplete="off" autoFocus={autoFocus} />
      <TextField
        {...bind('description')}
        label={t('description')}
        as={Textarea}
        rows={6}
        maxLength={5000}
        hint={t('descriptionHint')}
      />
      <ImageField
        {...bind('imageUrl')}
        note={hasLostPhoto && bind('imageUrl').value === '' ? t('lostPhoto') : undefined}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="grid content-start gap-4">
          <DateField {...day} onChange={moveTo} />
          <Switch
            label={t('severalDays')}
            checked={last.value !== ''}
            onCheckedChange={(isLong) => last.onChange(isLong ? nextDay : '')}
          />
          {last.value !== '' && (
            <DateField
              {...last}
              label={t('lastDay')}
              from={nextDay}
              to={daysAfter(day.value || today, MOST_DAYS - 1)}
            />
          )}
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] content-start gap-4">
          <TextField {...start} label={t('startTime')} type="time" hint={clockHint(day.value, start.value)} />
          <TextField
            {...end}
            label={t('endTime')}
            type="time"
            optional
            hint={endHint(day.value, last.value, start.value, end.value)}
          />
        </div>
      </div>
      <LocationField {...bind('location')} />
      <TextField
        {...bind('address')}
        label={t('exactAddress')}
        optional
        maxLength={200}
        autoComplete="off"
        placeholder={t('exactAddressExample')}
        hint={t('exactAddressHint')}
      />
      <TagsField {...bind('tags')} />
    </>
  );
}

/** Whether entry is free, for an event that sells no tickets here. */
export function FreeEntryField({ bind }: FieldsProps) {
  const t = useTexts(texts);
  const { value, onChange } = bind('freeEntry');
  return <Switch label={freeEntry()} hint={t('freeEntryHint')} checked={value} onCheckedChange={onChange} />;
}

/** Price, number, sales times and refund deadline. */
export function TicketFields({ bind }: FieldsProps) {
  const t = useTexts(texts);
  const [price, start, end] = [bind('ticketPrice'), bind('ticketSalesStartTime'), bind('ticketSalesEndTime')];
  const changeOf = (clock: string) => clockHint(clock.slice(0, 10), clock.slice(11, 16));
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField {...price} label={t('ticketPrice')} inputMode="decimal" hint={keptText(price.value)} />
      <NumberField {...bind('totalTickets')} label={t('totalTickets')} inputMode="numeric" />
      <TextField
        {...start}
        label={t('salesStart')}
        type="datetime-local"
        optional
        hint={changeOf(start.value) ?? t('salesStartHint')}
      />
      <TextField
        {...end}
        label={t('salesEnd')}
        type="datetime-local"
        optional
        hint={changeOf(end.value) ?? t('salesEndHint')}
      />
      <RefundDeadline {...bind('refundDeadlineHours')} />
    </div>
  );
}

/** "You keep $27.07 of $28.50", by the payments service's own fee rule; undefined while the price is invalid. */
function keptText(typed: string): string | undefined {
  const cents = TicketPrice.safeParse(typed).data;
  if (cents === undefined) return undefined;
  return textsNow(texts)('youKeep', {
    kept: formatCents(cents - platformFeeCents(cents)),
    price: formatCents(cents),
  });
}

/**
 * The time until which buyers may cancel. If the API set a value that is not among the choices, it is added to them.
 */
function RefundDeadline({ name, value, error, onChange }: Bound<string>) {
  const t = useTexts(texts);
  const wordsFor = (hours: string) => {
    if (hours === 'never') return t('noRefunds');
    return hours === '0' ? t('untilBegins') : t('untilBefore', { span: spanText(Number(hours), language()) });
  };
  return (
    <Field label={t('mayCancel')} hint={t('mayCancelHint')} error={error}>
      <Select name={name} value={value} onChange={({ target }) => onChange(target.value)}>
        {REFUND_DEADLINES.includes(value) || <option value={value}>{t('untilHours', { hours: value })}</option>}
        {REFUND_DEADLINES.map((known) => (
          <option key={known} value={known}>
            {wordsFor(known)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
