export const texts = {
  event: 'Reportar este evento',
  account: 'Reportar esta cuenta',
  ad: 'Reportar este anuncio',
};
