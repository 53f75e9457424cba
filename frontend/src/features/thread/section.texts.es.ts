export const texts = {
  comments: 'Comentarios <total></total>',
};
