import { areas } from '@beltway/places/areas';
import { findPlace } from '@beltway/places/find';
import { placeLabel } from '@beltway/places/gazetteer';
import { suggestPlaces } from '@beltway/places/suggest';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { texts } from './texts.en.ts';

interface LocationFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (location: string) => void;
}

const SUGGESTIONS = 8;
const listed = areas.flatMap(({ places }) => places);

/** Labels of matching places, except labels that the catalog would resolve to another place. */
function suggested(typed: string): string[] {
  if (typed.trim() === '') return listed;
  const named = findPlace(typed);
  const places = [...(named?.match === 'name' ? [named.place] : []), ...suggestPlaces(typed, SUGGESTIONS)];
  return [...new Set(places)].flatMap((place) => {
    const label = placeLabel(place);
    return findPlace(label)?.place === place ? [label] : [];
  });
}

const isKnown = (location: string): boolean => {
  if (listed.includes(location)) return true;
  const place = findPlace(location)?.place;
  return place !== undefined && placeLabel(place) === location;
};

/**
 * A place from the gazetteer, found by its name, or a typed place. Switching between gazetteer and typed place clears
 * the field.
 */
export function LocationField({ value, error, onChange }: LocationFieldProps) {
  const t = useTexts(texts);
  const [isTyped, setTyped] = useState(value !== '' && !isKnown(value));
  const [search, setSearch] = useState('');
  const choose = (location: string) => {
    setSearch('');
    onChange(location);
  };
  const takeTyped = () => {
    setTyped(true);
    choose(search.trim());
  };
  // The text is the chosen place's label. Typing more starts a new search.
  const text = value || search;
  const found = value === '' ? suggested(search) : [];
  const own = t('useTyped', { text: search.trim() });
  return (
    <div className="grid gap-1">
      <Field label={t('location')} error={error} hint={isTyped ? undefined : t('locationHint')}>
        {isTyped ? (
          <Input
            value={value}
            maxLength={200}
            placeholder={t('locationExample')}
            autoComplete="off"
            onChange={(typed) => onChange(typed.target.value)}
          />
        ) : (
          <Combobox
            text={text}
            listLabel={t('places')}
            maxLength={200}
            options={value === '' && search.trim() !== '' ? [...found, own] : found}
            onType={(typed) => {
              setSearch(typed);
              onChange('');
            }}
            onChoose={(option) => (option === own ? takeTyped() : choose(option))}
            // If nothing was chosen, the typed text becomes the location.
            onLeave={() => {
              if (value !== '' || search.trim() === '') return;
              if (isKnown(search.trim())) choose(search.trim());
              else takeTyped();
            }}
          />
        )}
      </Field>
      <Button
        variant="quiet"
        className="-ms-3 justify-self-start px-3 text-note"
        // Keeps the focus in the search field, because leaving the field would make the typed text the location.
        onMouseDown={(press) => press.preventDefault()}
        onClick={({ currentTarget }) => {
          currentTarget.focus();
          setTyped(!isTyped);
          choose('');
        }}
      >
        {isTyped ? t('fromList') : t('typePlace')}
      </Button>
    </div>
  );
}
