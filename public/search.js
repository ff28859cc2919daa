// Search as you type: the server's own results, put in place of the old ones. The address follows, so that it is the state.
const form = document.querySelector('form[data-search]')
const told = form.querySelector('[data-told]')
let waiting
let running = new AbortController()

function addressOf() {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (value.trim() !== '') query.append(name, value)
  return query.size === 0 ? form.action : `${form.action}?${query}`
}

function show(results, words) {
  document.getElementById('results').replaceWith(results)
  told.textContent = words
  document.dispatchEvent(new CustomEvent('refdesk:changed'))
}

/** In words, where the results would be. */
function sayWhy(words) {
  const results = document.createElement('section')
  results.id = 'results'
  const notice = document.createElement('p')
  notice.className = 'notice warn'
  notice.textContent = words
  results.append(notice)
  show(results, words)
}

function refused(response) {
  if (response.status !== 429) return sayWhy('The service cannot answer right now. Try again shortly.')
  const seconds = Number(response.headers.get('retry-after')) || 10
  sayWhy(`Too many searches in a short time. The search goes on by itself in ${seconds} s.`)
  waiting = setTimeout(search, seconds * 1000)
}

async function search() {
  running.abort()
  running = new AbortController()
  const { signal } = running
  const address = addressOf()
  history.replaceState(null, '', address)
  document.getElementById('results').ariaBusy = 'true'
  try {
    const given = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    const response = await fetch(address, { headers: { 'x-part': 'results' }, redirect: 'manual', signal: given })
    // Signed out meanwhile: the page itself leads to the sign-in and back.
    if (response.type === 'opaqueredirect') return location.assign(address)
    if (!response.ok && response.status !== 400) return refused(response)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const results = page.getElementById('results')
    if (!signal.aborted) show(document.adoptNode(results), results.dataset.told)
  } catch {
    if (!signal.aborted) sayWhy('The service was not reached. Check the connection and type on.')
  }
}

form.addEventListener('input', ({ target }) => {
  clearTimeout(waiting)
  waiting = setTimeout(search, target.type === 'search' || target.type === 'text' ? 150 : 0)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  clearTimeout(waiting)
  search()
})
