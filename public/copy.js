// Copy buttons, shown only if the browser can copy.
if (navigator.clipboard) {
  document.documentElement.classList.add('can-copy')
  document.addEventListener('click', async (event) => {
    const button = event.target.closest?.('[data-copy]')
    if (!button || button.dataset.busy) return
    const label = button.firstChild
    const before = label.textContent
    button.dataset.busy = 'yes'
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      label.textContent = 'Copied'
    } catch {
      label.textContent = 'Not allowed'
    }
    setTimeout(() => {
      label.textContent = before
      delete button.dataset.busy
    }, 1500)
  })
}
