import { spanText } from '@beltway/contracts/ticketing/refund-promise';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useTexts } from '../i18n/catalog.ts';
import type { Bound } from '../forms/form.ts';
import { language } from '../i18n/language.ts';
import { REFUND_DEADLINES } from '../refunds/deadline.ts';
import { clockHint, endHint } from './clock-hint.ts';
import { DateField } from './date-field.tsx';
import type { EventForm } from './event-form.ts';
import { ImageField } from './image-field.tsx';
import { LocationField } from './location-field.tsx';
import { TagsField } from './tags-field.tsx';
import { texts } from './texts.en.ts';

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
export function EventFields({ bind, hasLostPhoto, autoFocus = false }: EventFieldsProps) {
  const t = useTexts(texts);
  const [day, start, end] = [bind('eventDate'), bind('eventStartTime'), bind('eventEndTime')];
  return (
    <>
      <TextField {...bind('title')} label={t('title')} maxLength={200} autoComplete="off" autoFocus={autoFocus} />
      <TextField {...bind('description')} label={t('description')} as={Textarea} maxLength={5000} />
      <ImageField
        {...bind('imageUrl')}
        note={hasLostPhoto && bind('imageUrl').value === '' ? t('lostPhoto') : undefined}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <DateField {...day} />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] content-start gap-4">
          <TextField {...start} label={t('startTime')} type="time" hint={clockHint(day.value, start.value)} />
          <TextField
            {...end}
            label={t('endTime')}
            type="time"
            optional
            hint={endHint(day.value, start.value, end.value)}
          />
        </div>
      </div>
      <LocationField {...bind('location')} />
      <TagsField {...bind('tags')} />
    </>
  );
}

/** Price, number, and until when they may be given back. */
export function TicketFields({ bind }: FieldsProps) {
  const t = useTexts(texts);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField {...bind('ticketPrice')} label={t('ticketPrice')} inputMode="decimal" />
      <NumberField {...bind('totalTickets')} label={t('totalTickets')} inputMode="numeric" />
      <RefundDeadline {...bind('refundDeadlineHours')} />
    </div>
  );
}

/** Until when buyers may cancel. Hours that are none of the choices, given by an API, stay one. */
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
