import { CATEGORIES } from '@beltway/contracts/categories';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { LineDot } from '../../lib/event-lines.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import type { EventFilter } from './filter.ts';

/** docs/product.md#home */
const QUICK_TAGS = ['#free', '#liveDJ', '#UStreet', '#nightlife', '#rooftop'];

interface SearchBarProps {
  /** Of the search box, so that "Discover" finds it. */
  id: string;
  filter: EventFilter;
  onChange: (change: Partial<EventFilter>) => void;
}

/** The search box, the quick tags and the six lines; what is chosen stands in the address. */
export function SearchBar({ id, filter, onChange }: SearchBarProps) {
  return (
    <div role="search" className="grid grid-cols-[minmax(0,1fr)] items-center gap-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <SearchBox id={id} value={filter.q} onChange={(q) => onChange({ q })} />
      {/* One row to swipe on a phone, two on a desk. */}
      <div className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0 lg:contents">
        <div role="group" aria-label="Tags" className="flex gap-2 md:flex-wrap">
          {QUICK_TAGS.map((tag) => (
            <Chip key={tag} pressed={filter.tag === tag} onPress={(on) => onChange({ tag: on ? tag : '' })}>
              {tag}
            </Chip>
          ))}
        </div>
        <div role="group" aria-label="Categories" className="flex gap-2 md:flex-wrap lg:col-span-2">
          {CATEGORIES.map(({ line, label }) => (
            <Chip key={line} pressed={filter.line === line} onPress={(on) => onChange({ line: on ? line : '' })}>
              <LineDot line={line} />
              {label}
            </Chip>
          ))}
        </div>
      </div>
    </div>
  );
}

interface ChipProps {
  pressed: boolean;
  onPress: (pressed: boolean) => void;
  children: ReactNode;
}

const Chip = ({ pressed, onPress, children }: ChipProps) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={() => onPress(!pressed)}
    className={cx(
      'inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full border px-3.5 font-strong transition-colors duration-(--duration-fast)',
      pressed ? 'border-transparent bg-inverse text-on-inverse' : 'border-edge/70 bg-surface hover:border-ink',
    )}
  >
    {children}
    {pressed && <X aria-hidden className="-mr-1 size-4" />}
  </button>
);

/**
 * Keeps what is typed to itself and tells it on: the address follows letter by letter, a moment later, and must not take letters back
 * that were typed meanwhile.
 */
function SearchBox({ id, value, onChange }: { id: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  /** What was told and has not come back yet. */
  const told = useRef<string[]>([]);
  useEffect(() => {
    const last = told.current.at(-1);
    const at = last === value ? told.current.length - 1 : told.current.indexOf(value);
    told.current.splice(0, at < 0 ? Infinity : at + 1);
    // Changed from elsewhere: the back button, Clear Filters.
    if (at < 0) setTyped(value);
  }, [value]);
  const change = (next: string) => {
    setTyped(next);
    told.current.push(next);
    onChange(next);
  };
  return (
    <div className="relative">
      <Search
        aria-hidden
        className="pointer-events-none absolute left-4.5 top-1/2 size-5 -translate-y-1/2 text-ink-soft"
      />
      <input
        id={id}
        type="search"
        role="searchbox"
        aria-label="Search events"
        placeholder="Search by name, place or #tag"
        autoComplete="off"
        enterKeyHint="search"
        value={typed}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        className="h-14 w-full rounded-full border border-edge bg-surface px-13 text-body placeholder:text-ink-soft hover:border-ink-soft [&::-webkit-search-cancel-button]:hidden"
      />
      {typed && (
        <IconButton label="Clear the search" className="absolute right-1.5 top-1.5" onClick={() => change('')}>
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
