import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { pickerQuery } from './posts-api.ts';
import { texts } from './texts.en.ts';

interface EventFieldProps {
  value: string;
  error: string | undefined;
  onChange: (eventId: string) => void;
}

/** Selects the event of a contribution, from the current events. */
export function EventField({ value, error, onChange }: EventFieldProps) {
  const t = useTexts(texts);
  const found = useQuery(pickerQuery());
  const isListed = found.data?.some(({ id }) => String(id) === value) ?? false;
  return (
    <Field
      label={t('event')}
      optional
      error={error}
      hint={
        found.error ? (
          <span className="flex flex-wrap items-center gap-3">
            {explain(found.error)}
            <Button variant="quiet" onClick={() => void found.refetch()}>
              {t('retry')}
            </Button>
          </span>
        ) : undefined
      }
    >
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{found.isPending ? t('eventsLoading') : t('noEvent')}</option>
        {value && !isListed && <option value={value}>{t('thisEvent')}</option>}
        {found.data?.map(({ id, title, eventDate }) => (
          <option key={id} value={String(id)}>
            {t('eventOn', { title, day: formatDate(eventDate) })}
          </option>
        ))}
      </Select>
    </Field>
  );
}
