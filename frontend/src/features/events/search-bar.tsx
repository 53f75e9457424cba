import type { Position } from '@beltway/places/distance';
import { CATEGORIES } from '@beltway/contracts/catalog/categories';
import { LONGEST_SEARCH } from '@beltway/contracts/catalog/search-length';
import { dayAt } from '@beltway/contracts/common/times';
import Search from 'lucide-react/icons/search';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import X from 'lucide-react/icons/x';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { categoryLabel, LineDot } from '../../lib/events/event-lines.tsx';
import { formatRound } from '../../lib/i18n/format.ts';
import { lazily, nothing } from '../../lib/loading/lazily.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Chip, chipClass } from './chip.tsx';
import { isFiltering, placeText, type ChangeFilter, type EventFilter } from './filter.ts';
import { texts } from './texts.en.ts';

const SaidChips = lazily(async () => (await import('./said-chips.tsx')).SaidChips, nothing);
const SaveSearch = lazily(async () => (await import('./searches/save-search.tsx')).SaveSearch, nothing);
const loadFilters = () => import('./filter-dialog.tsx');
const FilterDialog = lazily(async () => (await loadFilters()).FilterDialog);

/** frontend/PRODUCT.md#home */
const QUICK_TAGS = ['#free', '#liveDJ', '#UStreet', '#nightlife', '#rooftop'];
const DAYS = ['tonight', 'tomorrow', 'weekend'] as const;
const SORTS = { nearest: 'nearestFirst', newest: 'newestFirst', popular: 'popularFirst' } as const;

interface SearchBarProps {
  /** The id of the search box, to which "Discover" moves the focus. */
  id: string;
  filter: EventFilter;
  onChange: ChangeFilter;
  onClear: () => void;
  /** The device's position, while the filter needs it. */
  position: Position | null;
}

/**
 * The search box and the filters: day, free, categories, tags; price, distance and order in a dialog. All choices are
 * stored in the URL.
 */
export function SearchBar({ id, filter, onChange, onClear, position }: SearchBarProps) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const { when, line, category, tag } = filter;
  const isNamed = DAYS.some((name) => name === when);
  return (
    <div role="search" className="contents">
      <div className="sticky top-(--below-header) z-20 -mx-4 flex items-center gap-2 bg-ground px-4 py-2 md:-mx-8 md:px-8">
        <SearchBox id={id} value={filter.q} onChange={(q) => onChange({ q })} />
        <Button
          variant="secondary"
          aria-haspopup="dialog"
          aria-label={t('filtersLabel')}
          className="h-12 shrink-0 max-sm:w-12 max-sm:px-0 md:h-14"
          onPointerEnter={() => void loadFilters()}
          onFocus={() => void loadFilters()}
          onClick={() => setOpen(true)}
        >
          <SlidersHorizontal aria-hidden className="size-5" />
          <span className="max-sm:hidden">{t('filters')}</span>
        </Button>
      </div>
      {/* Scrolls sideways on a phone. */}
      <div className="-mx-4 -mt-2 flex gap-2 overflow-x-auto px-4 [scrollbar-width:thin] md:mx-0 md:px-0">
        <div role="group" aria-label={t('when')} className="contents">
          {DAYS.map((name) => (
            <Chip key={name} pressed={when === name} onPress={(on) => onChange({ when: on ? name : '' })}>
              {t(name)}
            </Chip>
          ))}
          <DateChip value={isNamed ? '' : when} onChange={(day) => onChange({ when: day })} />
        </div>
        <Chip pressed={filter.free === '1'} onPress={(on) => onChange({ free: on ? '1' : '' })}>
          {t('free')}
        </Chip>
        <div role="group" aria-label={t('categories')} className="contents">
          {CATEGORIES.map(({ name, line: ownLine }) => {
            // A color in the URL selects all of its categories.
            const pressed = category ? category === name : line === ownLine;
            return (
              <Chip key={name} pressed={pressed} onPress={(on) => onChange({ category: on ? name : '', line: '' })}>
                <LineDot line={ownLine} />
                {categoryLabel(name)}
              </Chip>
            );
          })}
        </div>
        <div role="group" aria-label={t('tags')} className="contents">
          {QUICK_TAGS.map((each) => (
            <Chip key={each} pressed={tag === each} onPress={(on) => onChange({ tag: on ? each : '' })}>
              {each}
            </Chip>
          ))}
          {tag && !QUICK_TAGS.includes(tag) && (
            <Chip pressed onPress={() => onChange({ tag: '' })}>
              {tag}
            </Chip>
          )}
        </div>
      </div>
      <Chosen filter={filter} onChange={onChange} onClear={onClear} position={position} />
      {isOpen && (
        <Suspense fallback={null}>
          <FilterDialog filter={filter} onChange={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The filters chosen in the dialog or recognized in the search text, each with a button to remove it. */
function Chosen({ filter, onChange, onClear, position }: Omit<SearchBarProps, 'id'>) {
  const t = useTexts(texts);
  const { q, maxPrice, near, radius, onSale, sort } = filter;
  const chosen: Array<[label: string, without: Partial<EventFilter>]> = [];
  if (maxPrice) chosen.push([t('upTo', { price: formatRound(maxPrice) }), { maxPrice: '' }]);
  if (near)
    chosen.push([
      t('within', { miles: radius || '10', place: placeText(near) }),
      { near: '', radius: '', ...(sort === 'nearest' && { sort: '' }) },
    ]);
  if (onSale) chosen.push([t('onSale'), { onSale: '' }]);
  if (sort in SORTS) chosen.push([t(SORTS[sort as keyof typeof SORTS]), { sort: '' }]);
  if (chosen.length === 0 && !isFiltering(filter)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {q.trim() !== '' && (
        <Suspense>
          <SaidChips q={q} onChange={(left) => onChange({ q: left })} />
        </Suspense>
      )}
      {chosen.map(([label, without]) => (
        <Chip key={label} pressed onPress={() => onChange(without)}>
          {label}
        </Chip>
      ))}
      <Button variant="quiet" className="px-3 text-note" onClick={onClear}>
        {t('clearAll')}
      </Button>
      <Suspense>{isFiltering(filter) && <SaveSearch filter={filter} position={position} />}</Suspense>
    </div>
  );
}

/** The browser's own date field, which supports keyboard, calendar and a phone's picker. */
const DateChip = ({ value, onChange }: { value: string; onChange: (day: string) => void }) => {
  const t = useTexts(texts);
  return (
    <label className={cx(chipClass(value !== ''), 'has-focus-visible:outline-3 has-focus-visible:outline-focus')}>
      {t('date')}
      <input
        type="date"
        name="date"
        aria-label={t('pickDate')}
        min={dayAt(useClock())}
        max="2099-12-31"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(
          'tabular min-h-9 bg-transparent font-regular outline-none',
          value ? '[color-scheme:dark] dark:[color-scheme:light]' : 'text-ink-soft',
        )}
      />
    </label>
  );
};

/**
 * Keeps the typed text in local state and reports it. The URL follows with a delay, so an older text in the URL must
 * not overwrite letters that were typed since.
 */
function SearchBox({ id, value, onChange }: { id: string; value: string; onChange: (value: string) => void }) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(value);
  /** Values that were reported and are not in the URL yet. */
  const told = useRef<string[]>([]);
  useEffect(() => {
    const last = told.current.at(-1);
    const at = last === value ? told.current.length - 1 : told.current.indexOf(value);
    told.current.splice(0, at < 0 ? Infinity : at + 1);
    // The URL was changed elsewhere, such as by the back button or Clear Filters.
    if (at < 0) setTyped(value);
  }, [value]);
  const change = (next: string) => {
    setTyped(next);
    told.current.push(next);
    onChange(next);
  };
  return (
    <div className="relative min-w-0 flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute start-4.5 top-1/2 size-5 -translate-y-1/2 text-ink-soft"
      />
      <input
        id={id}
        type="search"
        role="searchbox"
        aria-label={t('search')}
        placeholder={t('searchHint')}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={LONGEST_SEARCH}
        value={typed}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        className="h-12 w-full rounded-full border border-edge bg-surface px-13 md:h-14 text-body placeholder:text-ink-soft hover:border-ink-soft [&::-webkit-search-cancel-button]:hidden"
      />
      {typed && (
        <IconButton label={t('clearSearch')} className="absolute end-1.5 top-0.5 md:top-1.5" onClick={() => change('')}>
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
