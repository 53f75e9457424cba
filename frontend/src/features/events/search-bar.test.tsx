import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../testing/render.tsx';
import { NO_FILTER } from './filter.ts';
import { SearchBar } from './search-bar.tsx';

afterEach(() => void vi.useRealTimers());

/** A URL that only the test changes. Typing in the search box does not change it. */
function LateAddress({ told }: { told: string[] }) {
  const [q, setQ] = useState('');
  return (
    <>
      <input aria-label="Address" value={q} onChange={({ target }) => setQ(target.value)} />
      <SearchBar
        id="search"
        filter={{ ...NO_FILTER, q }}
        onChange={({ q: wish = '' }) => told.push(wish)}
        position={null}
        onClear={() => undefined}
      />
    </>
  );
}

function show() {
  const told: string[] = [];
  renderAt('/', <LateAddress told={told} />);
  const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search events' });
  const address = screen.getByRole('textbox', { name: 'Address' });
  return { told, box, comes: (value: string) => fireEvent.change(address, { target: { value } }) };
}

test('a late change of the URL removes no typed letters', async () => {
  const { told, comes, box } = show();
  await userEvent.type(box, 'jazz');
  expect(told).toEqual(['j', 'ja', 'jaz', 'jazz']);
  comes('j');
  expect(box.value).toBe('jazz');
  comes('jaz');
  await userEvent.type(box, '!');
  comes('jazz');
  comes('jazz!');
  expect(box.value).toBe('jazz!');
});

test('a search in a link is shown, even if the same search was typed before', async () => {
  const { comes, box } = show();
  await userEvent.type(box, 'ja');
  comes('ja');
  comes('');
  expect(box.value).toBe('');
  comes('ja');
  expect(box.value).toBe('ja');
});

test('words that are filters appear as chips, and removing a chip removes its words from the search', () => {
  vi.useFakeTimers({ now: new Date('2026-12-01T17:00:00Z'), toFake: ['Date'] });
  const { told, comes } = show();
  comes('jazz dec 4 gratis under $20');
  const chips = () => screen.getAllByRole('button', { name: /^‘/ }).map(({ textContent }) => textContent);
  expect(chips()).toEqual(['‘dec 4’: Friday, December 4, 2026', '‘gratis’: Free', '‘under $20’: Up to $20']);
  fireEvent.click(screen.getByRole('button', { name: /^‘dec 4’/ }));
  expect(told).toEqual(['jazz gratis under $20']);
  comes('jazz gratis under $20');
  fireEvent.click(screen.getByRole('button', { name: /^‘gratis’/ }));
  expect(told.at(-1)).toBe('jazz under $20');
  comes('"friday" jazz');
  expect(screen.queryByRole('button', { name: /^‘/ })).toBeNull();
});
