export const texts = {
  comments: 'Comments <total></total>',
} as const;
