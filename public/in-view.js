// Scrolls the selected expiry and the at-the-money strike into view within their own frames.
for (const target of document.querySelectorAll('.tabs [aria-current], #money')) {
  const frame = target.closest('.tabs, .scroll')
  const [inner, outer] = [target.getBoundingClientRect(), frame.getBoundingClientRect()]
  frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
  frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2
}
