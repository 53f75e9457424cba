// Runs inside the frame of an embedded list: follows the device's theme and reports the list's height to the host page.
(function () {
  var root = document.documentElement;
  if (root.dataset.theme === 'auto') {
    var dark = matchMedia('(prefers-color-scheme: dark)');
    var follow = function () {
      root.dataset.theme = dark.matches ? 'dark' : 'light';
    };
    follow();
    dark.addEventListener('change', follow);
  }
  if (parent === window) return;
  var told = 0;
  function tell() {
    var height = Math.ceil(root.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    // Any host page may know the height.
    parent.postMessage({ type: 'beltway-embed-height', height: height }, '*');
  }
  addEventListener('load', tell);
  new ResizeObserver(tell).observe(root);
})();
