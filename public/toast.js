// Short messages that stay in view for a few seconds.
const maxShown = 3
const shownMs = 6_000
const region = document.createElement('div')
region.className = 'toasts'
region.role = 'status'
document.body.append(region)

document.addEventListener('refdesk:toast', ({ detail }) => {
  const toast = document.createElement('p')
  toast.className = 'toast'
  toast.textContent = detail
  region.append(toast)
  while (region.children.length > maxShown) region.firstChild.remove()
  setTimeout(() => toast.remove(), shownMs)
})
