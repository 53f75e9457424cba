import type { Answer, Question, SocialPost } from '@beltway/contracts/realtime/community';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareTexts } from '../../layout/prepare-texts.ts';
import { speak } from '../../lib/i18n/language.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(async () => {
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
  speak('es');
  await prepareTexts();
});
afterEach(() => vi.unstubAllGlobals());

/** Renders a component whose texts load lazily. React waits for them only inside `act`. */
const waiting = <T,>(show: () => T): Promise<T> => act(async () => show());
const createdAt = '2026-11-20T12:00:00.000Z';
const post: SocialPost = {
  ...{ id: 5, userId: 9, userName: '', type: 'text', content: 'What a night', imageUrl: null, eventId: null },
  ...{ eventTitle: null, place: null, likes: 1, comments: 2, shares: 2, createdAt, editedAt: createdAt },
  ...{ isOrganizer: true, isLiked: false, isOwn: false, mayRemove: false },
};
const question: Question = {
  ...{ id: 6, userId: 9, userName: 'Bob', question: 'Where to park?', category: 'getting-there', location: null },
  ...{ eventId: null, eventTitle: null, isAnswered: true, isPinned: true, likes: 2, answers: 1, createdAt },
  ...{ editedAt: null, isLiked: false, isFollowed: false, isOwn: true, mayPin: true, mayRemove: true },
};
const answer: Answer = {
  ...{ id: 7, questionId: 6, userId: 8, userName: 'Cleo', answer: 'Behind it', isVerified: true, isAccepted: true },
  ...{ likes: 1, createdAt, isLiked: false, isOwn: false, mayRemove: false },
};

test('posts, report reasons and the server’s refusals are in Spanish', async () => {
  fakeApi({
    'GET /api/social-posts': { items: [post], nextCursor: null },
    'GET /api/social-posts/5/comments': { items: [], nextCursor: null },
    'POST /api/social-posts/5/comments': problem(429, 'too-many-requests', {
      text: 'too-many-writes.minute',
      detail: 'You’re posting too fast. Please wait a minute.',
    }),
  });
  await waiting(() => renderAt('/community'));
  expect(await screen.findByRole('heading', { name: 'Comunidad' })).toBeTruthy();
  const tabs = within(screen.getByRole('navigation', { name: 'Comunidad' }));
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Publicaciones',
    'Preguntas',
    'Clasificación',
    'Retos',
    'Insignias',
    'Conexiones',
    'Invitaciones',
  ]);
  const card = within(await screen.findByRole('article', { name: 'Publicación de Alguien' }));
  for (const text of ['Quien organiza', 'editada', /^Hace \d+ días$/]) expect(card.getByText(text)).toBeTruthy();
  for (const name of [
    'Me gusta la publicación de Alguien, 1 me gusta',
    'Copiar el enlace de la publicación de Alguien, 2 veces compartida',
  ])
    expect(card.getByRole('button', { name })).toBeTruthy();
  await userEvent.click(card.getByRole('button', { name: 'Comentarios de la publicación de Alguien, 2' }));
  expect(await card.findByText('Todavía no hay comentarios.')).toBeTruthy();
  await userEvent.type(card.getByRole('textbox', { name: 'Escribe un comentario' }), 'Hola');
  await userEvent.click(card.getByRole('button', { name: 'Comentar' }));
  expect(await card.findByText('Escribes muy rápido. Espera un minuto.')).toBeTruthy();
  await userEvent.click(card.getByRole('button', { name: 'Más opciones para la publicación de Alguien' }));
  const report = await screen.findByRole('menuitem', { name: 'Reportar' });
  await waiting(() => fireEvent.click(report));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reportar esta publicación' }));
  expect(dialog.getByRole('radio', { name: 'Odio contra un grupo de personas' })).toBeTruthy();
});

test('the message board and a question with its answers are in Spanish', async () => {
  fakeApi({
    'GET /api/message-board': { items: [question], nextCursor: null },
    'GET /api/message-board/6': { question, accepted: answer, answers: { items: [answer], nextCursor: null } },
  });
  const { navigate } = await waiting(() => renderAt('/community/questions'));
  const card = within(await screen.findByRole('article', { name: 'Pregunta de Bob' }));
  for (const text of ['Fijada', 'Resuelta', 'Cómo llegar']) expect(card.getByText(text)).toBeTruthy();
  expect(card.getByRole('link', { name: '1 respuesta a la pregunta de Bob' })).toBeTruthy();
  const category = screen.getByRole('combobox', { name: 'Categoría' });
  expect([...category.children].map(({ textContent }) => textContent)).toEqual([
    'Todas',
    'General',
    'Boletos',
    'Cómo llegar',
    'Locales',
    'Comida y bebida',
    'Música',
    'Familia',
    'Accesibilidad',
  ]);
  await waiting(() => navigate('/community/questions/6'));
  const helped = within(await screen.findByRole('region', { name: 'La respuesta que ayudó' }));
  expect(helped.getByText('Verificada').textContent).toBe('Verificada: por quien organiza o por Beltway');
  expect(helped.getByRole('button', { name: 'Me gusta (1)' })).toBeTruthy();
  expect(screen.getByText('No hay otras respuestas.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Más opciones para la pregunta de Bob' }));
  const remove = await screen.findByRole('menuitem', { name: 'Eliminar' });
  await waiting(() => fireEvent.click(remove));
  expect(await screen.findByRole('dialog', { name: '¿Eliminar tu pregunta?' })).toBeTruthy();
});
