// Brings what is wanted into view within its own frame: the chosen expiry among the tabs, the money in the ladder.
for (const wanted of document.querySelectorAll('.tabs [aria-current], #money')) {
  const frame = wanted.closest('.tabs, .scroll')
  const [inner, outer] = [wanted.getBoundingClientRect(), frame.getBoundingClientRect()]
  frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
  frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2
}
