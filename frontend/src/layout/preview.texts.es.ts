export const texts = {
  preview: 'Vista previa',
  card: 'En las listas',
  page: 'Página del evento',
  noTitle: 'El título de tu evento',
  noPlace: 'Tu lugar',
};
