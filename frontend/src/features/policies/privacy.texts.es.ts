export const texts = {
  title: 'Privacidad',
  lead: 'Qué guarda Beltway de ti, por qué y por cuánto tiempo. No incluye ninguna red de publicidad ni ningún servicio de análisis.',
  updated: '28 de noviembre de 2026',
  looking: 'Si solo miras',
  lookingWhat:
    'No se guarda nada con lo que se te pueda volver a reconocer. Las cifras de la página de inicio cuentan cuentas, eventos y boletos. La página de un evento cuenta a sus visitantes, a cada uno una vez al día: con un resumen criptográfico de tu dirección de red, el nombre de tu navegador y el evento, hecho con una clave de ese día. La clave y los resúmenes se eliminan al terminar el día, para que después nadie pueda decir qué miraste. Los espacios patrocinados se cuentan de la misma manera cuando están en tu pantalla y cuando abres uno. Si compartes un evento, un resumen criptográfico de tu dirección de red y de ese evento se guarda 30 días, para que cuente una sola vez. Tu dirección de red se cuenta un día como máximo, y mientras tienes boletos apartados, para que nadie pueda saturar el sitio ni llevarse todos los boletos; no se guarda junto con lo que miraste. El registro de los servidores tiene la hora, la página y el resultado de una petición, y no tu dirección.',
  account: 'Si tienes una cuenta',
  likes:
    'Lo que te gusta y lo que guardas, y adónde dices que vas o que tal vez vayas, hasta que lo quites. Los demás solo ven cuántas personas lo hicieron; cuántas guardaron un evento no se le muestra a nadie.',
  nameEmail:
    'Tu nombre, tu correo electrónico, tu tipo de cuenta y los eventos que publicas, hasta que elimines tu cuenta: en <account>Cuenta</account>, de inmediato y por tu cuenta.',
  network:
    'Un resumen criptográfico de la dirección de red desde la que te registraste, hecho con una clave, durante 90 días: para notar quién se invita a sí mismo. Si llegaste por el enlace de alguien, que fue así; esa persona ve tu nombre solo si muestras tu perfil.',
  asOrganizer:
    'Tu nombre está en tu página de organizador desde que publicas un evento, con las palabras, los enlaces y las fotos que añadas allí; después de eliminar tu cuenta, en su lugar dice «Deleted account» (cuenta eliminada). A quién sigues se guarda hasta que dejas de seguirlo; los demás solo ven cuántas personas siguen a alguien.',
  searches:
    'Las búsquedas que guardas, con sus nombres, hasta que las elimines; una alrededor de donde estás guarda ese lugar con una precisión de un kilómetro más o menos. Nadie más las ve.',
  comments:
    'Tus comentarios, mientras los dejes, con tu nombre al lado a la vista de todos. Al eliminar uno se borran sus palabras. De un comentario que se ocultó guardamos un resumen criptográfico, para que no se publiquen otra vez las mismas palabras; que escribiste, reportaste o moderaste, y cuándo, permanece sin las palabras.',
  password: 'Tu contraseña, solo como un hash (argon2id). Nadie puede volver a leerla.',
  signIns:
    'Tus inicios de sesión: una sesión termina después de 30 días sin uso y a los 90 días a más tardar; un día después de esos 90 días se elimina. Que cerraste sesión, y cuándo, permanece en el registro del sistema. Los intentos fallidos de iniciar sesión se cuentan durante un día, sin lo que se escribió.',
  deleting: 'Si eliminas tu cuenta',
  atOnce:
    'Tu sesión se cierra de inmediato en todas partes. Tu nombre, correo electrónico y contraseña, tus comentarios, lo que te gusta, a quién sigues, tus eventos y búsquedas guardados, las imágenes que subiste, y tu nombre y dirección en pedidos y anuncios se eliminan en unos minutos, también de los registros de los que todo eso se hizo. Lo que se estaba escribiendo en ese momento se elimina en el plazo de un día.',
  ticketsStay:
    'Tus boletos siguen valiendo por sus códigos. Ya nadie puede escribirte. Tus eventos que ya ocurrieron permanecen, sin tu nombre ni tu dirección de contacto; los que todavía no ocurren se cancelan.',
  money:
    'Lo que se pagó, se reembolsó y se transfirió permanece como la ley pide que se conserven los registros de dinero: con un número, sin la persona. El proveedor de tarjetas y el banco conservan lo que tienen según sus propias reglas. Lo que hizo un moderador y cuándo, y cuándo terminaron las sesiones, también permanece con ese número.',
  adName:
    'El nombre de un negocio en un anuncio que se mostró permanece en el registro de ese anuncio. Las copias de seguridad se sobrescriben a su tiempo; lo que vuelva de una se elimina otra vez.',
  notPossible:
    'No es posible mientras haya personas con boletos para eventos tuyos que todavía no ocurren, o mientras haya dinero en camino hacia ti o desde ti. La página dice cuál es el caso.',
  ticket: 'Si compras un boleto',
  order:
    'El nombre y el correo electrónico que das para el pedido, tus boletos y lo que se pagó o se reembolsó. Los pedidos se conservan como registro de la venta; no hay una fecha en la que se eliminen solos. Cuando apartas o cancelas boletos, un resumen de tu dirección de red, y de tu correo o tu cuenta, hecho con una clave, mientras limita cuántas veces: hasta 2 días para boletos apartados, 30 para pedidos cancelados.',
  card: 'Tu tarjeta nunca llega a nosotros. Su número va de tu navegador al proveedor de tarjetas, que nos dice si el pago funcionó. El proveedor tiene su propia política de privacidad.',
  whoSees:
    'Quien organiza el evento y el equipo de Beltway ven el nombre, el correo electrónico, el número de boletos, el monto y el número del pedido, y pueden guardarlos en un archivo.',
  orderMails: 'Los correos sobre tu pedido pasan por el servidor de correo que usa Beltway.',
  writing: 'Si nos escribes',
  writingWhat:
    'Tu correo electrónico, tu número de teléfono si lo das, y tus palabras. Se guardan durante un año y se envían por correo a las personas que responden.',
  storage: 'Cookies y almacenamiento en tu navegador',
  refreshCookie:
    '<code>beltway_refresh</code>: mantiene tu sesión iniciada. Ningún script puede leerla. Hasta 90 días.',
  deviceCookie:
    '<code>beltway_device</code>: distingue de los demás un navegador que ya inició sesión antes, para que quien adivine contraseñas en otro lugar no pueda dejarte fuera. 180 días.',
  browserKeeps:
    'Tu navegador guarda, solo para este sitio: tu inicio de sesión, el tema y el idioma que elegiste, el pedido o la promoción que estás pagando, una clave con la que se te reconoce cuando no tienes cuenta, y lo que escribiste y todavía no enviaste.',
  noneForAds:
    'Todo esto sirve para lo que viniste a hacer. No hay nada para publicidad ni para medir, así que no se te pregunta nada.',
  breaks: 'Cuando algo falla',
  breaksWhat:
    'Tu navegador nos dice qué parte de la página falló. Las direcciones, los nombres, las claves y los números largos se quitan antes de escribirlo en un registro.',
  map: 'Mapa y ubicación',
  mapWhat:
    'El mapa es nuestro, y no se le pide a nadie más. Donde este Beltway esté configurado con Google Maps, tu navegador carga el mapa desde Google, según las reglas de Google. A tu dispositivo se le pregunta dónde estás solo cuando pulsas «Mostrar mi ubicación», y en el mapa su ubicación se queda en la página. Al servicio del tiempo le preguntan nuestros servidores, no tu navegador, y conoce un lugar con una precisión de una décima de grado como máximo.',
  elsewhere: 'Imágenes y enlaces de otros sitios',
  elsewhereWhat:
    'Quien organiza puede mostrar una imagen que está en otro sitio. Entonces tu navegador se la pide a ese sitio. Los enlaces a otros sitios, como al compartir o un descuento, se abren allí, según sus reglas.',
  ask: 'Qué puedes pedir',
  askWhat:
    'Con una cuenta, descarga lo que se guarda de ti, o elimínalo, en <account>Cuenta</account>. Para corregir algo, y para pedidos sin cuenta: <contact>escríbenos</contact>. Hazlo desde la dirección de correo de la que se trata.',
};
