/**
 * Keeps the place of whoever works by keyboard. Where the element with the focus goes away (a dialog that closes, a
 * menu whose entry was chosen, a row that was removed, a page left for another) the focus would fall back to the top of
 * the document; here it goes back to where it was before that is still there: the same element, or its row, or the row
 * that stands there now.
 */
type Row = { key: string; at: number; nth: number; table: WeakRef<HTMLElement> }
type Step = {
  element: WeakRef<HTMLElement>
  page?: WeakRef<Element>
  row?: Row
  /** Only hit, without taking the focus. */ isHit?: boolean
}

const REMEMBERED = 40
const TRIES = 40
const AGAIN_MS = 50
const ROW = 'tr[data-row-key], li[data-row-key]'
const TABLE = '.kit-table, .kit-cards'
const PAGE = '.page-scroll'
/** What lies on top of a page. */
export const OPEN_LAYER_SELECTOR = '.ant-modal-wrap, .ant-drawer-open, dialog[open]'
/** What Tab stops at. */
export const FOCUSABLE_SELECTOR =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'

let trail: Step[] = []
let looking = 0
let tries = 0

/** Starts to keep the place; answers how to stop. */
export function startFocusRestore(): () => void {
  const changes = new MutationObserver(look)
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', look)
  document.addEventListener('pointerdown', onRowPointerDown, true)
  changes.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', look)
    document.removeEventListener('pointerdown', onRowPointerDown, true)
    changes.disconnect()
    trail = []
  }
}

/**
 * Of a row: what stands at the same place in it as before, else what opens it, else the first thing that can take the
 * focus.
 */
const stopIn = (row: Element, nth = -1): HTMLElement | undefined => {
  const stops = [...row.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR)].filter(isFocusableNow)
  return stops[nth] ?? stops.find((one) => one.matches('.kit-open, .kit-card-open')) ?? stops[0]
}

export const isFocusableNow = (element: HTMLElement | undefined): element is HTMLElement =>
  !!element?.isConnected &&
  element.checkVisibility({ visibilityProperty: true }) &&
  !element.matches(':disabled') &&
  !element.closest('[inert]')

function onFocus({ target }: FocusEvent) {
  const last = trail.at(-1)
  // A hit moves the focus to the page around what was hit.
  const isAround = last?.isHit && target instanceof Node && target.contains(last.element.deref() ?? null)
  if (target instanceof HTMLElement && !isAround) remember(target)
}

/** Who hits a row that takes no focus, and opens it so, comes back to the row. */
function onRowPointerDown({ target }: PointerEvent) {
  if (target instanceof HTMLElement && !target.closest(FOCUSABLE_SELECTOR)) remember(target, true)
}

function remember(element: HTMLElement, isHit?: boolean) {
  const page = element.closest(PAGE)
  trail = [
    ...trail.slice(1 - REMEMBERED),
    { element: new WeakRef(element), page: page ? new WeakRef(page) : undefined, row: rowOf(element), isHit },
  ]
}

function rowOf(element: HTMLElement): Row | undefined {
  const row = element.closest<HTMLElement>(ROW)
  const table = row?.closest<HTMLElement>(TABLE)
  if (!row || !table) return undefined
  const stops = [...row.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR)].filter(isFocusableNow)
  return {
    key: row.dataset.rowKey!,
    at: rowsOf(table).indexOf(row),
    nth: stops.indexOf(element),
    table: new WeakRef(table),
  }
}

const rowsOf = (table: Element) =>
  [...table.querySelectorAll<HTMLElement>(ROW)].filter((row) => row.closest(TABLE) === table)

/** Looks a moment later: whoever takes the focus away on purpose gives it to something first. */
function look() {
  if (document.activeElement !== document.body || looking) return
  looking = requestAnimationFrame(() => {
    looking = 0
    if (document.activeElement === document.body) restoreFocus()
  })
}

/** A page that was left is gone a moment before the next one is shown. */
function retryRestore() {
  if (tries++ < TRIES) setTimeout(look, AGAIN_MS)
  else tries = 0
}

function restoreFocus() {
  const last = trail.at(-1)
  // What had the focus is still there, or nothing had it: somebody put it aside.
  if (!last || isFocusableNow(last.element.deref())) return
  const layer = [...document.querySelectorAll(OPEN_LAYER_SELECTOR)].filter((one) => one.checkVisibility()).at(-1)
  const page = [...document.querySelectorAll<HTMLElement>(PAGE)].find((one) => one.checkVisibility())
  if (!page && !layer) return retryRestore()
  tries = 0
  const place = lastPlaceIn(page, layer)
  if (place) return place.focus({ preventScroll: isInSight(place) })
  const rest = layer?.querySelector<HTMLElement>('[role=dialog]') ?? page
  rest?.focus({ preventScroll: true })
}

/** The last place of the work that is still there, on the page that is shown and within what lies on top of it. */
function lastPlaceIn(page: HTMLElement | undefined, layer: Element | undefined): HTMLElement | undefined {
  const before = trail.at(-1)?.page
  const isLeft = before !== undefined && before.deref() !== page
  let isHandWork = false
  for (const step of trail.toReversed()) {
    isHandWork ||= !!step.isHit
    // On another page now: what surrounds the pages is not where the work was.
    if (isLeft && step.page?.deref() !== page) continue
    const place = placeOf(step)
    // Who went on by hand does not want a box they typed in before, and on a phone its keyboard.
    if (!place || (layer && !layer.contains(place)) || (isHandWork && place.matches('input, textarea'))) continue
    return place
  }
  return undefined
}

function placeOf({ element, row, isHit }: Step): HTMLElement | undefined {
  const known = element.deref()
  if (!isHit && isFocusableNow(known)) return known
  const table = row?.table.deref()
  if (!row || !isFocusableNow(table)) return undefined
  const rows = rowsOf(table)
  const same = rows.find((one) => one.dataset.rowKey === row.key)
  if (same) return stopIn(same, isHit ? undefined : row.nth)
  const there = rows[Math.min(row.at, rows.length - 1)]
  return there && stopIn(there)
}

function isInSight(element: HTMLElement) {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
