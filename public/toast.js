// Short messages that stay in view for a few seconds.
const maxShown = 3
const shownMs = 4_000
const doneMs = 10_000
const region = document.createElement('div')
region.className = 'toasts'
region.role = 'status'
document.body.append(region)

function show(text, forMs) {
  const toast = document.createElement('p')
  toast.className = 'toast'
  toast.textContent = text
  region.append(toast)
  while (region.children.length > maxShown) region.firstChild.remove()
  setTimeout(() => toast.remove(), forMs)
}

document.addEventListener('refdesk:toast', ({ detail }) => show(detail, shownMs))

/** Shows what was just done. A reload does not repeat it. */
function showDone(notice) {
  notice.remove()
  show(notice.textContent, doneMs)
  const url = new URL(location.href)
  for (const name of ['done', 'of']) url.searchParams.delete(name)
  // The top of the page after a form with a fragment of its own.
  if (url.hash === '#content') url.hash = ''
  history.replaceState(history.state, '', url)
}

for (const notice of document.querySelectorAll('[data-toast]')) showDone(notice)
