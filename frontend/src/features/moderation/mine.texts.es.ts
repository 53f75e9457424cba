export const texts = {
  title: 'Decisiones de moderación',
  what: 'decisiones',
  none: 'Todavía no hay decisiones',
  noneWhy: 'Si se reporta tu contenido o tu cuenta, verás aquí nuestra decisión.',
  ask: 'Pedir una revisión',
  asked: 'Lo revisaremos',
  askedWhy: 'Si es posible, lo revisa otra persona de nuestro equipo. Te enviaremos la decisión por correo.',
  once: 'Puedes hacerlo una vez, en un plazo de 30 días.',
  openLink: 'Abre el enlace de nuestro correo o inicia sesión para ver la decisión.',
};
