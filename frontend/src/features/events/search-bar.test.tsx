import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../testing/render.tsx';
import { NO_FILTER } from './filter.ts';
import { SearchBar } from './search-bar.tsx';

/** The address changes when the test says so, and not by what is typed. */
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

test('a late change of the address removes no typed letters', async () => {
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

test('a search that is changed by a link is shown, also one that was typed before', async () => {
  const { comes, box } = show();
  await userEvent.type(box, 'ja');
  comes('ja');
  comes('');
  expect(box.value).toBe('');
  comes('ja');
  expect(box.value).toBe('ja');
});
