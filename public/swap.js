// Tabs inside a part of the page: only that part is loaded anew, so that the rest (a token that is shown once) stays.
document.addEventListener('click', async (event) => {
  const tab = event.target.closest?.('[data-swap] .tabs a')
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const part = tab.closest('[data-swap]')
  try {
    const answer = await fetch(tab.href)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = answer.ok && page.getElementById(part.id)
    if (!fresh) throw new Error('not there')
    part.replaceWith(document.adoptNode(fresh))
    fresh.querySelector('.tabs a[aria-current]').focus()
  } catch {
    location.assign(tab.href)
  }
})
