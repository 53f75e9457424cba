import { findPlace } from '@beltway/places/find';
import { placeLabel } from '@beltway/places/gazetteer';
import { suggestPlaces } from '@beltway/places/suggest';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatRound } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select, Switch } from '../../ui/field.tsx';
import { HERE, type ChangeFilter, type EventFilter } from './filter.ts';
import { texts } from './views.texts.en.ts';

const PRICES = ['10', '20', '30', '50', '100'];
const MILES = ['1', '2', '5', '10', '25', '50'];

interface FilterDialogProps {
  filter: EventFilter;
  onChange: ChangeFilter;
  onClose: () => void;
}

/** Price, distance, sale and order. Each choice applies immediately: the results change behind the dialog. */
export function FilterDialog({ filter, onChange, onClose }: FilterDialogProps) {
  const t = useTexts(texts);
  // Replaces the history entry, so that one "back" undoes all choices.
  const choose = (change: Partial<EventFilter>) => onChange(change, { replace: true });
  const { maxPrice, radius, onSale, sort, near } = filter;
  /** The URL may contain a value that is not offered. That value is added to the choices. */
  const withOwn = (offered: string[], own: string) =>
    own === '' || offered.includes(own) ? offered : [...offered, own];
  return (
    <Dialog onClose={onClose} title={t('filters')} footer={<Button onClick={onClose}>{t('showEvents')}</Button>}>
      <div className="grid gap-5 pt-1">
        <NearField
          near={near}
          onChoose={(place) =>
            choose(place ? { near: place } : { near: '', radius: '', ...(sort === 'nearest' && { sort: '' }) })
          }
        />
        {near !== '' && (
          <Field label={t('distance')}>
            <Select value={radius || '10'} onChange={({ target }) => choose({ radius: target.value })}>
              {withOwn(MILES, radius).map((miles) => (
                <option key={miles} value={miles}>
                  {t('withinMiles', { count: Number(miles), miles })}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label={t('price')}>
          <Select value={maxPrice} onChange={({ target }) => choose({ maxPrice: target.value })}>
            <option value="">{t('anyPrice')}</option>
            {withOwn(PRICES, maxPrice).map((dollars) => (
              <option key={dollars} value={dollars}>
                {t('upTo', { price: formatRound(dollars) })}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('order')}>
          <Select value={sort} onChange={({ target }) => choose({ sort: target.value })}>
            <option value="">{filter.q.trim() ? t('bestFirst') : t('soonestFirst')}</option>
            {filter.q.trim() && <option value="soonest">{t('soonestFirst')}</option>}
            {near !== '' && <option value="nearest">{t('nearestFirst')}</option>}
            <option value="popular">{t('popularFirst')}</option>
            <option value="newest">{t('newestFirst')}</option>
          </Select>
        </Field>
        <Switch
          label={t('onSale')}
          hint={t('onSaleHint')}
          checked={onSale === '1'}
          onCheckedChange={(on) => choose({ onSale: on ? '1' : '' })}
        />
      </div>
    </Dialog>
  );
}

/** The center of a search by distance: a typed place, or the position of the device. */
function NearField({ near, onChoose }: { near: string; onChoose: (near: string) => void }) {
  const t = useTexts(texts);
  const list = useId();
  const [typed, setTyped] = useState(near === HERE ? '' : near);
  const [error, setError] = useState<string>();
  const suggested = suggestPlaces(typed, 8).map(placeLabel);

  const take = (text: string) => {
    const found = text.trim() === '' ? null : findPlace(text);
    const isUnknown = text.trim() !== '' && !found;
    setError(isUnknown ? t('unknownPlace') : undefined);
    if (isUnknown) return;
    if (found) setTyped(placeLabel(found.place));
    // Uses the place's label if the gazetteer finds this place by that label; otherwise the place's id, which always
    // works.
    const label = found && placeLabel(found.place);
    onChoose(found ? (findPlace(label!)?.place === found.place ? label! : found.place.id) : '');
  };
  return (
    <div className="grid gap-2">
      <Field label={t('near')} hint={near === HERE ? t('aroundYou') : t('nearHint')} error={error}>
        <Input
          list={list}
          autoComplete="off"
          maxLength={100}
          placeholder={near === HERE ? t('yourPosition') : t('anywhere')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setError(undefined);
            // The user chose an entry of the list.
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
          {t('usePosition')}
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
            {t('anywhere')}
          </Button>
        )}
      </div>
    </div>
  );
}
