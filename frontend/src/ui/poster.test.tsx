import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Poster } from './poster.tsx';

const picture = () => screen.getByRole<HTMLImageElement>('img', { name: 'A roof' });
const photo = '/media/images/0af3-c0ffee-large.webp';

test('offers all stored sizes of an uploaded photo', () => {
  render(<Poster src={photo} alt="A roof" sizes="100vw" />);
  const name = '/media/images/0af3-c0ffee';
  expect(picture().srcset).toBe(`${name}-small.webp 640w, ${name}-medium.webp 960w, ${name}-large.webp 1600w`);
});

const groundOf = () => picture().parentElement!.style.backgroundColor;

test('the background has the color of the picture that is shown, not of the picture that failed', () => {
  render(<Poster src={photo} fallback="/media/posters/7-ab.webp" tint="#0b1020" alt="A roof" />);
  expect(groundOf()).toBe('#c0ffee');
  fireEvent.error(picture());
  expect(groundOf()).toBe('#0b1020');
});

test('loads lazily, unless it has priority', () => {
  const { rerender } = render(<Poster src={photo} alt="A roof" />);
  const how = () => [picture().getAttribute('loading'), picture().getAttribute('fetchpriority')];
  expect(how()).toEqual(['lazy', 'auto']);
  rerender(<Poster src={photo} alt="A roof" priority />);
  expect(how()).toEqual(['eager', 'high']);
});

test('a missing picture is replaced by the poster, and a missing poster by the logo', () => {
  render(<Poster src="https://pictures.example/gone.jpg" fallback="/media/posters/7-ab.webp" alt="A roof" />);
  fireEvent.error(picture());
  expect(picture().getAttribute('src')).toBe('/media/posters/7-ab.webp');
  fireEvent.error(picture());
  expect(picture().tagName).not.toBe('IMG');
});
