import { placeLabel, PLACES } from '@beltway/places/gazetteer';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Field, Select } from '../../ui/field.tsx';
import { texts } from './shared.texts.en.ts';

const sorted = (isListed: (place: (typeof PLACES)[number]) => boolean) =>
  PLACES.filter(isListed).toSorted((a, b) => a.name.localeCompare(b.name));
const GROUPS = [
  {
    // Each language has its own label.
    label: null,
    places: sorted(({ kind, state }) => state === 'DC' && (kind === 'town' || kind === 'neighborhood')),
  },
  { label: 'Maryland', places: sorted(({ kind, state }) => state === 'MD' && kind === 'town') },
  { label: 'Virginia', places: sorted(({ kind, state }) => state === 'VA' && kind === 'town') },
];
const listed = new Set(GROUPS.flatMap(({ places }) => places.map(({ id }) => id)));

/** The label of a place from the URL or a post. */
const labelOf = (id: string): string => {
  const place = PLACES.find((one) => one.id === id);
  return place ? placeLabel(place) : id;
};

interface PlaceFieldProps {
  label: string;
  /** The label of the empty option. */
  none: string;
  /** A place's id; empty for none. */
  value: string;
  error?: string | undefined;
  hint?: string;
  optional?: boolean;
  className?: string;
  onChange: (place: string) => void;
}

/**
 * Selects a town of the region or a neighborhood of the District. Any other place is listed only while it is selected.
 */
export function PlaceField({ label, none, value, onChange, ...field }: PlaceFieldProps) {
  const t = useTexts(texts);
  return (
    <Field label={label} {...field}>
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{none}</option>
        {value && !listed.has(value) && <option value={value}>{labelOf(value)}</option>}
        {GROUPS.map((group) => (
          <optgroup key={group.label} label={group.label ?? t('district')}>
            {group.places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </Field>
  );
}
