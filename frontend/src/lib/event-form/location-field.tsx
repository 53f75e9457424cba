import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { areas } from './areas.ts';

export type LocationMode = 'list' | 'custom';

interface LocationFieldProps {
  mode: LocationMode;
  value: string;
  error?: string | undefined;
  /** Switching the mode clears the other mode's value. */
  onChange: (change: { location: string; locationMode?: LocationMode }) => void;
}

/** How a place that is known already is shown: in the list if it is one of it. */
export const locationModeOf = (location: string): LocationMode =>
  location === '' || areas.some(({ places }) => places.includes(location)) ? 'list' : 'custom';

export function LocationField({ mode, value, error, onChange }: LocationFieldProps) {
  const other = mode === 'list' ? 'custom' : 'list';
  return (
    <div className="grid gap-1">
      <Field label="Event location" error={error}>
        {mode === 'list' ? (
          <Select value={value} onChange={(change) => onChange({ location: change.target.value })}>
            <option value="">Choose an area</option>
            {areas.map(({ region, places }) => (
              <optgroup key={region} label={region}>
                {places.map((place) => (
                  <option key={place}>{place}</option>
                ))}
              </optgroup>
            ))}
          </Select>
        ) : (
          <Input
            value={value}
            maxLength={200}
            placeholder="9:30 Club, 815 V St NW, Washington, DC"
            autoComplete="off"
            onChange={(change) => onChange({ location: change.target.value })}
          />
        )}
      </Field>
      <Button
        variant="quiet"
        className="-ml-3 justify-self-start px-3 text-note"
        onClick={() => onChange({ location: '', locationMode: other })}
      >
        {mode === 'list' ? 'Type the place instead' : 'Choose from the list instead'}
      </Button>
    </div>
  );
}
