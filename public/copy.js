// Copy buttons, and values that a click copies. Both only if the browser can copy.
const say = (text) => document.dispatchEvent(new CustomEvent('refdesk:toast', { detail: text }))

async function write(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

async function press(button) {
  if (button.dataset.busy) return
  const label = button.firstChild
  const before = label.textContent
  button.dataset.busy = 'yes'
  label.textContent = (await write(button.dataset.copy)) ? 'Copied' : 'Not allowed'
  setTimeout(() => {
    label.textContent = before
    delete button.dataset.busy
  }, 1500)
}

async function pressValue({ textContent }) {
  say((await write(textContent)) ? `Copied ${textContent}` : 'The browser does not allow copying.')
}

/** Values are plain text until a script can copy them. */
function enableValues() {
  for (const value of document.querySelectorAll('.copy-value:not([role])')) {
    value.role = 'button'
    value.tabIndex = 0
    value.title = `Copy the ${value.dataset.what}`
  }
}

if (navigator.clipboard) {
  document.documentElement.classList.add('can-copy')
  enableValues()
  document.addEventListener('refdesk:changed', enableValues)
  document.addEventListener('click', ({ target }) => {
    const button = target.closest?.('[data-copy]')
    if (button) return press(button)
    const value = target.closest?.('.copy-value')
    if (value) pressValue(value)
  })
  document.addEventListener('keydown', (event) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || !event.target.matches?.('.copy-value')) return
    event.preventDefault()
    pressValue(event.target)
  })
}
