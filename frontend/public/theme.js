// Runs before the first paint, so that nobody sees a white flash at night. Classic and external: the page allows no inline script.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('beltway.theme');
  } catch {
    // Storage may be closed to us; the system's wish then decides.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
