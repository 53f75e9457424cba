export const texts = {
  saved: 'Guardados',
  nothing: 'Todavía no guardaste nada',
  nothingWhy: 'Toca el marcador de un evento para guardarlo aquí.',
  seeWhatIsOn: 'Ver qué hay',
};
