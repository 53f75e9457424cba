// Shows a list of events at its script element, on any site (services/catalog/PRODUCT.md#embeds).
(function () {
  var script = document.currentScript;
  if (!script || !script.src) return;
  var origin = new URL(script.src).origin;
  var frame = document.createElement('iframe');
  frame.src = origin + '/embed' + (script.dataset.search ? '?' + script.dataset.search : '');
  frame.title = script.dataset.title || 'Events on Beltway';
  frame.loading = 'lazy';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.style.cssText = 'display:block;width:100%;height:480px;border:0';
  script.after(frame);

  // The frame gets its list's height: only messages of the frame itself are accepted, and only a height.
  var MAX_HEIGHT = 10000;
  addEventListener('message', function (event) {
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    var data = event.data;
    if (!data || data.type !== 'beltway-embed-height') return;
    var height = data.height;
    if (typeof height !== 'number' || !(height > 0)) return;
    frame.style.height = Math.min(Math.ceil(height), MAX_HEIGHT) + 'px';
  });
})();
