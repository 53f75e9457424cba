import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Poster } from './poster.tsx';

const picture = () => screen.getByRole<HTMLImageElement>('img', { name: 'A roof' });
const photo = '/media/images/0af3-large.webp';

test('offers both sizes of an uploaded photo by the names that they have', () => {
  render(<Poster src={photo} alt="A roof" sizes="100vw" />);
  expect(picture().srcset).toBe('/media/images/0af3-small.webp 640w, /media/images/0af3-large.webp 1600w');
});

test('a picture that is not there gives way to the poster, and only then to the mark', () => {
  render(<Poster src="https://pictures.example/gone.jpg" fallback="/media/posters/7-ab.webp" alt="A roof" />);
  fireEvent.error(picture());
  expect(picture().getAttribute('src')).toBe('/media/posters/7-ab.webp');
  fireEvent.error(picture());
  expect(picture().tagName).not.toBe('IMG');
});
