// The page Import: drop files, and follow an import without loading the page again.
const everyMs = 1_000
const form = document.querySelector('.import-form')

function follow() {
  const state = document.getElementById('import-state')
  if (state && 'running' in state.dataset) setTimeout(refresh, everyMs)
}

async function refresh() {
  if (document.hidden) return document.addEventListener('visibilitychange', refresh, { once: true })
  let waitMs = 0
  try {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(location.pathname, { headers: { 'x-part': 'state' }, redirect: 'manual', signal })
    if (response.type === 'opaqueredirect' || response.status === 404) return location.reload()
    if (!response.ok) throw new Error(String(response.status))
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const id of ['import-tag', 'import-actions', 'import-state']) {
      const found = page.getElementById(id)
      if (found) document.getElementById(id).replaceWith(document.adoptNode(found))
    }
    // Screen readers announce what changes within an element that stays.
    const status = document.getElementById('import-status')
    const text = page.getElementById('import-status')?.textContent ?? status.textContent
    if (status.textContent !== text) status.textContent = text
  } catch {
    waitMs = 5_000
  }
  setTimeout(follow, waitMs)
}

function setUp() {
  const input = form.elements.File
  const drop = form.querySelector('.drop')
  const said = form.querySelector('[data-said]')
  const say = (text, isError = false) => {
    said.textContent = text
    said.classList.toggle('field-error', isError)
  }
  const describe = () => {
    const files = [...input.files]
    if (files.length > 0) say(files.map(({ name }) => name).join(', '))
  }
  drop.querySelector('.droppable').hidden = false
  for (const type of ['dragenter', 'dragover'])
    drop.addEventListener(type, (event) => {
      event.preventDefault()
      drop.classList.add('over')
    })
  for (const type of ['dragleave', 'drop']) drop.addEventListener(type, () => drop.classList.remove('over'))
  drop.addEventListener('drop', (event) => {
    event.preventDefault()
    if (event.dataTransfer.files.length === 0) return
    input.files = event.dataTransfer.files
    describe()
    form.requestSubmit()
  })
  input.addEventListener('change', describe)
  form.addEventListener('submit', (event) => {
    const bytes = [...input.files].reduce((sum, { size }) => sum + size, 0)
    const isTooLarge = bytes > Number(form.dataset.maxBytes)
    if (isTooLarge) say(form.dataset.tooLarge, true)
    if (isTooLarge || 'sent' in form.dataset) return event.preventDefault()
    form.dataset.sent = ''
    say('Sending…')
  })
  // Back from the next page.
  addEventListener('pageshow', () => delete form.dataset.sent)
}

if (form) setUp()
follow()
