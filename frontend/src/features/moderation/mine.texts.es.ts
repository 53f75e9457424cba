export const texts = {
  title: 'Decisiones sobre lo tuyo',
  what: 'decisiones',
  none: 'No se ha decidido nada',
  noneWhy: 'Cuando se reporta algo tuyo y decidimos sobre ello, lo lees aquí.',
  ask: 'Pedir otra revisión',
  asked: 'Lo revisaremos de nuevo',
  askedWhy: 'Decide otra persona, si la hay, y te escribimos.',
  once: 'Puedes hacerlo una vez, en un plazo de 30 días.',
  openLink: 'Abre el enlace del correo que te enviamos o inicia sesión para ver qué se decidió.',
};
