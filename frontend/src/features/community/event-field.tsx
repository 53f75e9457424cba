import { useQuery } from '@tanstack/react-query';
import { formatDate } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { pickerQuery } from './api.ts';

interface EventFieldProps {
  value: string;
  error: string | undefined;
  onChange: (eventId: string) => void;
}

/** The event that something is about: one of those that are on. */
export function EventField({ value, error, onChange }: EventFieldProps) {
  const found = useQuery(pickerQuery());
  const isListed = found.data?.some(({ id }) => String(id) === value) ?? false;
  return (
    <Field
      label="Event"
      optional
      error={error}
      hint={
        found.error ? (
          <span className="flex flex-wrap items-center gap-3">
            {explain(found.error)}
            <Button variant="quiet" onClick={() => void found.refetch()}>
              Retry
            </Button>
          </span>
        ) : undefined
      }
    >
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{found.isPending ? 'Loading events…' : 'No event'}</option>
        {value && !isListed && <option value={value}>This event</option>}
        {found.data?.map(({ id, title, eventDate }) => (
          <option key={id} value={String(id)}>
            {title} ({formatDate(eventDate)})
          </option>
        ))}
      </Select>
    </Field>
  );
}
