// Search as you type: replaces the results with those of the server, and updates the URL.
const form = document.querySelector('form[data-search]')
const status = form.querySelector('[data-status]')
let timer
let running = new AbortController()

function currentUrl() {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (value.trim() !== '') query.append(name, value)
  return query.size === 0 ? form.action : `${form.action}?${query}`
}

function show(results, summary) {
  document.getElementById('results').replaceWith(results)
  status.textContent = summary
  document.dispatchEvent(new CustomEvent('refdesk:changed'))
}

/** Shows a message in place of the results. */
function showMessage(text) {
  const results = document.createElement('section')
  results.id = 'results'
  const notice = document.createElement('p')
  notice.className = 'notice warn'
  notice.textContent = text
  results.append(notice)
  show(results, text)
}

function showError(response) {
  if (response.status !== 429) return showMessage('The service is unavailable. Try again shortly.')
  const seconds = Number(response.headers.get('retry-after')) || 10
  showMessage(`Too many searches. The next one starts in ${seconds} s.`)
  timer = setTimeout(search, seconds * 1000)
}

async function search() {
  running.abort()
  running = new AbortController()
  const { signal } = running
  const url = currentUrl()
  history.replaceState(null, '', url)
  document.getElementById('results').ariaBusy = 'true'
  try {
    const combined = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    const response = await fetch(url, { headers: { 'x-part': 'results' }, redirect: 'manual', signal: combined })
    // Signed out: loading the page leads to the sign-in and back.
    if (response.type === 'opaqueredirect') return location.assign(url)
    if (!response.ok && response.status !== 400) return showError(response)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const results = page.getElementById('results')
    if (!signal.aborted) show(document.adoptNode(results), results.dataset.summary)
  } catch {
    if (!signal.aborted) showMessage('The service could not be reached. Check your connection and try again.')
  }
}

form.addEventListener('input', ({ target }) => {
  clearTimeout(timer)
  timer = setTimeout(search, target.type === 'search' || target.type === 'text' ? 150 : 0)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  clearTimeout(timer)
  search()
})

/** A popover closes when something else is clicked, and on Escape. */
const closePopovers = (except) => {
  for (const open of form.querySelectorAll('.pop[open]')) if (open !== except) open.open = false
}
document.addEventListener('click', ({ target }) => closePopovers(target.closest?.('.pop')))
form.addEventListener('keydown', (event) => {
  const open = event.target.closest('.pop[open]')
  if (event.key !== 'Escape' || !open) return
  open.open = false
  open.querySelector('summary').focus()
})
