export const texts = {
  saved: 'Guardados',
  nothing: 'Todavía no guardaste nada',
  nothingWhy: 'Pulsa el marcador de un evento y te espera aquí.',
  seeWhatIsOn: 'Ver qué hay',
};
