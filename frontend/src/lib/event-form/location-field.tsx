import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { areas } from '@beltway/places/areas';
import { texts } from './texts.en.ts';

interface LocationFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (location: string) => void;
}

const listed = areas.flatMap(({ places }) => places);

/** A place of the list, or one that is typed. Switching clears it. */
export function LocationField({ value, error, onChange }: LocationFieldProps) {
  const t = useTexts(texts);
  const [isTyped, setTyped] = useState(value !== '' && !listed.includes(value));
  return (
    <div className="grid gap-1">
      <Field label={t('location')} error={error}>
        {isTyped ? (
          <Input
            value={value}
            maxLength={200}
            placeholder={t('locationExample')}
            autoComplete="off"
            onChange={(typed) => onChange(typed.target.value)}
          />
        ) : (
          <Select value={value} onChange={(chosen) => onChange(chosen.target.value)}>
            <option value="">{t('chooseArea')}</option>
            {areas.map(({ region, places }) => (
              <optgroup key={region} label={region}>
                {places.map((place) => (
                  <option key={place}>{place}</option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
      </Field>
      <Button
        variant="quiet"
        className="-ms-3 justify-self-start px-3 text-note"
        onClick={() => {
          setTyped(!isTyped);
          onChange('');
        }}
      >
        {isTyped ? t('fromList') : t('typePlace')}
      </Button>
    </div>
  );
}
