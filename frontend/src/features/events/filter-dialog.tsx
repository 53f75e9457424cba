import { findPlace } from '@beltway/places/find';
import { placeLabel } from '@beltway/places/gazetteer';
import { suggestPlaces } from '@beltway/places/suggest';
import { LocateFixed, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select, Switch } from '../../ui/field.tsx';
import { HERE, type ChangeFilter, type EventFilter } from './filter.ts';

const PRICES = ['10', '20', '30', '50', '100'];
const MILES = ['1', '2', '5', '10', '25', '50'];

interface FilterDialogProps {
  filter: EventFilter;
  onChange: ChangeFilter;
  onClose: () => void;
}

/** Price, distance, sale and order. Each choice is in force at once: what is found changes behind the dialog. */
export function FilterDialog({ filter, onChange, onClose }: FilterDialogProps) {
  // One entry in the history for each choice would keep "back" busy.
  const choose = (change: Partial<EventFilter>) => onChange(change, { replace: true });
  const { maxPrice, radius, onSale, sort, near } = filter;
  /** An address may say other amounts than those offered. */
  const withOwn = (offered: string[], own: string) =>
    own === '' || offered.includes(own) ? offered : [...offered, own];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Filters"
      footer={<Button onClick={onClose}>Show events</Button>}
    >
      <div className="grid gap-5 pt-1">
        <NearField
          near={near}
          onChoose={(place) =>
            choose(place ? { near: place } : { near: '', radius: '', ...(sort === 'nearest' && { sort: '' }) })
          }
        />
        {near !== '' && (
          <Field label="Distance">
            <Select value={radius || '10'} onChange={({ target }) => choose({ radius: target.value })}>
              {withOwn(MILES, radius).map((miles) => (
                <option key={miles} value={miles}>
                  Within {miles} {miles === '1' ? 'mile' : 'miles'}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Price">
          <Select value={maxPrice} onChange={({ target }) => choose({ maxPrice: target.value })}>
            <option value="">Any price</option>
            {withOwn(PRICES, maxPrice).map((dollars) => (
              <option key={dollars} value={dollars}>
                Up to ${dollars}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Order">
          <Select value={sort} onChange={({ target }) => choose({ sort: target.value })}>
            <option value="">{filter.q.trim() ? 'Best match first' : 'Soonest first'}</option>
            {filter.q.trim() && <option value="soonest">Soonest first</option>}
            {near !== '' && <option value="nearest">Nearest first</option>}
            <option value="popular">Most popular first</option>
            <option value="newest">Newest first</option>
          </Select>
        </Field>
        <Switch
          label="On sale"
          hint="Tickets can be bought here right now"
          checked={onSale === '1'}
          onCheckedChange={(on) => choose({ onSale: on ? '1' : '' })}
        />
      </div>
    </Dialog>
  );
}

/** Around which place: one that is typed, or where the device is. */
function NearField({ near, onChoose }: { near: string; onChoose: (near: string) => void }) {
  const list = useId();
  const [typed, setTyped] = useState(near === HERE ? '' : near);
  const [error, setError] = useState<string>();
  const suggested = suggestPlaces(typed, 8).map(placeLabel);

  const take = (text: string) => {
    const found = text.trim() === '' ? null : findPlace(text);
    const isUnknown = text.trim() !== '' && !found;
    setError(isUnknown ? 'We know no such place here. Try a neighborhood, a town or a Metro station.' : undefined);
    if (isUnknown) return;
    if (found) setTyped(placeLabel(found.place));
    // As it is read, if it is understood so; the short name of the gazetteer is, always.
    const label = found && placeLabel(found.place);
    onChoose(found ? (findPlace(label!)?.place === found.place ? label! : found.place.id) : '');
  };
  return (
    <div className="grid gap-2">
      <Field
        label="Near"
        hint={near === HERE ? 'Around where you are' : 'A neighborhood, a town, a station or a venue'}
        error={error}
      >
        <Input
          list={list}
          autoComplete="off"
          maxLength={100}
          placeholder={near === HERE ? 'Your position' : 'Anywhere'}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setError(undefined);
            // One of the list was chosen.
            if (suggestPlaces(target.value, 1).some((place) => placeLabel(place) === target.value)) take(target.value);
          }}
          onBlur={() => (typed.trim() !== '' || near !== HERE) && take(typed)}
          onKeyDown={(press) => press.key === 'Enter' && take(typed)}
        />
      </Field>
      <datalist id={list}>
        {suggested.map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          className="[&_svg]:size-4.5"
          aria-pressed={near === HERE}
          onClick={() => {
            setTyped('');
            setError(undefined);
            onChoose(HERE);
          }}
        >
          <LocateFixed aria-hidden />
          Use my position
        </Button>
        {near !== '' && (
          <Button
            variant="quiet"
            className="[&_svg]:size-4.5"
            onClick={() => {
              setTyped('');
              setError(undefined);
              onChoose('');
            }}
          >
            <X aria-hidden />
            Anywhere
          </Button>
        )}
      </div>
    </div>
  );
}
